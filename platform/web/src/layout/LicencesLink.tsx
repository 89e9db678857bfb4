import { Link } from "@mui/material";
import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";

/** Leads to what the product is made of and under which licences. */
export function LicencesLink(): ReactNode {
  return (
    <Link
      href="/third-party-notices.txt"
      target="_blank"
      rel="noopener"
      variant="caption"
      color="textSecondary"
    >
      {texts.common.licences}
    </Link>
  );
}

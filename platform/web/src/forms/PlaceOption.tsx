import { Box, Typography } from "@mui/material";
import type { ReactNode } from "react";
import type { LocationOption } from "../model/location.ts";
import { fill, texts } from "../texts/index.ts";

type Match = Pick<LocationOption, "confidence" | "kind" | "source">;

/** What of an address was found, how sure that is, and who knows it. */
export function matchText({ confidence, kind, source }: Match): string {
  if (source === "organisation") return texts.addresses.sources.organisation;
  return fill(texts.addresses.match, {
    kind: texts.addresses.kinds[kind],
    sure: Math.round(confidence * 100),
    source: texts.addresses.sources[source],
  });
}

/** A place that a search proposes: what it is called, and below what of the text it is. */
export function PlaceOption({
  option,
}: {
  option: Pick<LocationOption, "label"> & Partial<Match>;
}): ReactNode {
  const { label, confidence, kind, source } = option;
  const told = confidence !== undefined && kind !== undefined && source !== undefined;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography sx={{ overflowWrap: "anywhere" }}>{label}</Typography>
      {told && (
        <Typography variant="caption" color="textSecondary">
          {matchText({ confidence, kind, source })}
        </Typography>
      )}
    </Box>
  );
}

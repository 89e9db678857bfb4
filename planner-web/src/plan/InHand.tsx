import { Avatar, Tooltip } from "@mui/material";
import { fill, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { useHolder } from "./use-holder.ts";

/** The initials of who else has a job or run in hand at the moment. */
export function InHand({ kind, id }: { kind: "job" | "run"; id: number }): ReactNode {
  const holder = useHolder(kind, id);
  if (holder === null) return null;
  const told = fill(texts.presence.inHand, { name: holder.name });
  return (
    <Tooltip title={told}>
      <Avatar
        component="span"
        aria-label={told}
        sx={{
          width: 18,
          height: 18,
          fontSize: 9,
          bgcolor: holder.colour,
          color: "#fff",
          display: "inline-flex",
          ml: 0.5,
          verticalAlign: "text-bottom",
        }}
      >
        {holder.initials}
      </Avatar>
    </Tooltip>
  );
}

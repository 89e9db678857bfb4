import FlagIcon from "@mui/icons-material/Flag";
import { Box } from "@mui/material";
import { type RunProof, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { boundsOf } from "../map/features.ts";
import { PlaceMarker } from "../map/JobMarker.tsx";
import { MapView } from "../map/MapView.tsx";

/** Start and end flags of a run. */
export function ProofsMap({ proofs }: { proofs: readonly RunProof[] }): ReactNode {
  const placed = proofs.flatMap((proof) =>
    proof.lat === null || proof.lon === null ? [] : [{ ...proof, lat: proof.lat, lon: proof.lon }],
  );
  if (placed.length === 0) return null;
  return (
    <Box sx={{ position: "relative", height: 260, borderRadius: 1, overflow: "hidden" }}>
      <MapView
        onReady={(map) => {
          const box = boundsOf(placed);
          if (box !== null) map.libre.fitBounds(box, { padding: 60, maxZoom: 15, animate: false });
        }}
      >
        {placed.map((proof) => (
          <PlaceMarker
            key={proof.id}
            lat={proof.lat}
            lng={proof.lon}
            colour={proof.mode === "start" ? "#2a7d46" : "#b3261e"}
            label={proof.mode === "start" ? texts.runs.routeStart : texts.runs.routeEnd}
          >
            <FlagIcon />
          </PlaceMarker>
        ))}
      </MapView>
    </Box>
  );
}

import { Box, Typography } from "@mui/material";
import type { ReactNode } from "react";
import { apiUrl } from "../api/base.ts";
import type { FileLink } from "../model/index.ts";
import { fill, texts } from "../texts/index.ts";

interface PhotosProps {
  photos: readonly { id: number; link: string }[];
  signature: FileLink | null;
}

/** Photos and signature of a proof; a click opens the full picture. */
export function Photos({ photos, signature }: PhotosProps): ReactNode {
  const images = [
    ...photos.map(({ id, link }, index) => ({ id, link, label: fill(texts.proofs.photo, { n: index + 1 }) })),
    ...(signature === null
      ? []
      : [{ id: signature.id, link: signature.link, label: texts.proofs.signature }]),
  ];
  if (images.length === 0) return null;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
      {images.map(({ id, link, label }) => (
        <Box
          key={id}
          component="a"
          href={apiUrl(link)}
          target="_blank"
          rel="noopener noreferrer"
          sx={{ color: "inherit" }}
        >
          <Box
            component="img"
            src={apiUrl(link)}
            alt={label}
            loading="lazy"
            sx={{
              height: 120,
              maxWidth: 220,
              objectFit: "contain",
              bgcolor: "#fff",
              border: 1,
              borderColor: "divider",
              borderRadius: 1,
              display: "block",
            }}
          />
          <Typography variant="caption">{label}</Typography>
        </Box>
      ))}
    </Box>
  );
}

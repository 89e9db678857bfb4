import CameraIcon from "@mui/icons-material/AddAPhotoOutlined";
import CloseIcon from "@mui/icons-material/Close";
import { Box, Button, IconButton } from "@mui/material";
import { texts } from "@routewright/web";
import { type ReactNode, useEffect, useMemo, useRef } from "react";

export interface PhotoPickerProps {
  photos: readonly Blob[];
  onChange: (photos: Blob[]) => void;
  most: number;
  label: string;
}

/** Photos from the camera or from files. */
export function PhotoPicker({ photos, onChange, most, label }: PhotoPickerProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const urls = useMemo(() => photos.map((photo) => URL.createObjectURL(photo)), [photos]);
  useEffect(() => () => urls.forEach((url) => URL.revokeObjectURL(url)), [urls]);
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        {urls.map((url, index) => (
          <Box key={url} sx={{ position: "relative" }}>
            <Box
              component="img"
              src={url}
              alt={`${texts.runsheet.photos} ${index + 1}`}
              sx={{ width: 84, height: 84, objectFit: "cover", borderRadius: 1, display: "block" }}
            />
            <IconButton
              aria-label={`${texts.common.remove} ${index + 1}`}
              onClick={() => onChange(photos.filter((_, at) => at !== index))}
              sx={{ position: "absolute", top: 2, right: 2, bgcolor: "background.paper", p: 0.25 }}
            >
              <CloseIcon sx={{ fontSize: 16 }} />
            </IconButton>
          </Box>
        ))}
      </Box>
      <Button
        variant="outlined"
        size="medium"
        startIcon={<CameraIcon />}
        disabled={photos.length >= most}
        onClick={() => input.current?.click()}
        sx={{ justifySelf: "start" }}
      >
        {label}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        accept="image/*"
        aria-label={label}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          event.target.value = "";
          onChange([...photos, ...chosen].slice(0, most));
        }}
      />
    </Box>
  );
}

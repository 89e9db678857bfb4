import UploadIcon from "@mui/icons-material/FileUploadOutlined";
import { Alert, Box, Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type DragEvent, type ReactNode, useRef, useState } from "react";

interface FileChooserProps {
  accept: string;
  problem: string | null;
  onChoose: (file: File) => void;
}

/** A place to drop a file on, and a button for those who do not drag. */
export function FileChooser({ accept, problem, onChoose }: FileChooserProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) onChoose(file);
  };
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      <Box
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        sx={{
          border: "2px dashed",
          borderColor: over ? "primary.main" : "divider",
          bgcolor: over ? "action.hover" : "transparent",
          borderRadius: 2,
          p: 4,
          display: "grid",
          justifyItems: "center",
          gap: 1.5,
          textAlign: "center",
        }}
      >
        <UploadIcon fontSize="large" color="action" />
        <Typography>{texts.imports.drop}</Typography>
        <Typography variant="body2" color="textSecondary">
          {texts.imports.formats}
        </Typography>
        <Button variant="contained" onClick={() => input.current?.click()}>
          {texts.imports.choose}
        </Button>
        <input
          ref={input}
          hidden
          type="file"
          accept={accept}
          aria-label={texts.imports.choose}
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file !== undefined) onChoose(file);
          }}
        />
      </Box>
    </Box>
  );
}

import UploadIcon from "@mui/icons-material/FileUploadOutlined";
import { Alert, Box, Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";

interface FileChooserProps {
  accept: string;
  problem: string | null;
  /** The file is being read. */
  busy: boolean;
  onChoose: (source: Blob, name: string) => void;
  children?: ReactNode;
}

/** A place to drop a file on or to paste cells of a spreadsheet into, and a button for those who do neither. */
export function FileChooser(props: FileChooserProps): ReactNode {
  const { accept, problem, busy, onChoose, children } = props;
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const file = event.clipboardData?.files[0];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (file !== undefined) onChoose(file, file.name);
      else if (text.trim() !== "") onChoose(new Blob([text], { type: "text/plain" }), texts.imports.pasted);
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [onChoose]);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) onChoose(file, file.name);
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
        <Typography variant="body2" color="textSecondary">
          {texts.imports.paste}
        </Typography>
        <Button variant="contained" loading={busy} onClick={() => input.current?.click()}>
          {texts.imports.choose}
        </Button>
        {children}
        <input
          ref={input}
          hidden
          type="file"
          accept={accept}
          aria-label={texts.imports.choose}
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file !== undefined) onChoose(file, file.name);
          }}
        />
      </Box>
    </Box>
  );
}

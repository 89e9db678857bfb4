import { Box, Button, FormHelperText, Typography } from "@mui/material";
import { quietApi, answer, apiUrl, messageOfError, texts } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { upload } from "../data/files.ts";
import { type BoundProps, useBound } from "./bound.ts";

/** A picture of the organisation; the field holds the id of its stored file. */
export function LogoInput(props: BoundProps) {
  const bound = useBound(props);
  const id = typeof bound.value === "number" ? bound.value : undefined;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { data: file } = useQuery({
    queryKey: ["file", id],
    queryFn: () => answer(quietApi.GET("/files/{id}", { params: { path: { id: id ?? 0 } } })),
    enabled: id !== undefined,
  });

  async function store(chosen: File): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      bound.set((await upload(chosen, "logo-")).id);
    } catch (error) {
      setProblem(messageOfError(error));
    } finally {
      setBusy(false);
    }
  }
  const error = problem ?? bound.error;
  return (
    <Box sx={{ mb: 2 }}>
      <Typography variant="subtitle2" gutterBottom>
        {bound.label}
      </Typography>
      <Box sx={{ display: "flex", gap: 2, alignItems: "center" }}>
        {id !== undefined && file && (
          <Box component="img" src={apiUrl(file.link)} alt={bound.label} sx={{ height: 48, maxWidth: 200 }} />
        )}
        <Button component="label" variant="outlined" loading={busy}>
          {id === undefined ? texts.admin.shared.choosePicture : texts.admin.shared.replace}
          <input
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => {
              const chosen = event.target.files?.[0];
              event.target.value = "";
              if (chosen) void store(chosen);
            }}
          />
        </Button>
        {id !== undefined && <Button onClick={() => bound.set(null)}>{texts.common.remove}</Button>}
      </Box>
      {error && <FormHelperText error>{error}</FormHelperText>}
    </Box>
  );
}

import { Box, Button, TextField, Typography } from "@mui/material";
import { quietApi, answer, messageOfError, toastError, toastSuccess, texts, fill } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BoundProps, useBound } from "../inputs/bound.ts";

/** The key that webhooks are signed with. It is stored as a secret and never shown again; the field holds its id. */
export function SigningSecret(props: BoundProps) {
  const bound = useBound(props);
  const id = typeof bound.value === "number" ? bound.value : undefined;
  const [typed, setTyped] = useState("");
  const { data: secret } = useQuery({
    queryKey: ["secret", id],
    queryFn: () => answer(quietApi.GET("/secrets/{id}", { params: { path: { id: id ?? 0 } } })),
    enabled: id !== undefined,
  });
  async function store(): Promise<void> {
    try {
      const body = { name: "udf_signing_secret", value: typed };
      bound.set((await answer(quietApi.POST("/secrets", { body }))).id);
      setTyped("");
      toastSuccess(texts.admin.eventsActions.secretStored);
    } catch (error) {
      toastError(messageOfError(error));
    }
  }
  return (
    <Box sx={{ mb: 2, width: "100%" }}>
      <Typography variant="subtitle2" gutterBottom>
        {bound.label}
      </Typography>
      <Box sx={{ display: "flex", gap: 1, alignItems: "center", maxWidth: 520 }}>
        <TextField
          type="password"
          autoComplete="new-password"
          label={
            secret
              ? fill(texts.admin.eventsActions.stored, { masked: secret.masked })
              : texts.admin.eventsActions.noneStored
          }
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button variant="outlined" disabled={typed.length < 8} onClick={() => void store()}>
          {texts.admin.eventsActions.store}
        </Button>
      </Box>
    </Box>
  );
}

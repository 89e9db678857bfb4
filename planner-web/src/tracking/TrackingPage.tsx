import AddIcon from "@mui/icons-material/Add";
import { Box, Button, TextField, Typography } from "@mui/material";
import { ColourModeSwitch, Mark, texts } from "@routewright/web";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { Modal } from "../ui/Modal.tsx";
import { ViewContext } from "../ui/view.ts";
import { TrackedJobCard } from "./TrackedJobCard.tsx";

const PARAMETER = "tokens";

/** What customers see: one card per tracking number, refreshed while it is open. */
export function TrackingPage(): ReactNode {
  const [parameters, setParameters] = useSearchParams();
  const [adding, setAdding] = useState(false);
  const tokens = tokensOf(parameters.get(PARAMETER));
  return (
    <ViewContext.Provider value="tracking">
      <Box component="main" sx={{ minHeight: "100dvh", bgcolor: "background.default", p: { xs: 2, sm: 4 } }}>
        <Box sx={{ maxWidth: 720, mx: "auto", display: "grid", gap: 2 }}>
          <Box sx={{ display: "flex", alignItems: "center", gap: 1.25 }}>
            <Mark size={28} />
            <Typography component="h1" variant="h6" sx={{ flex: 1 }}>
              {texts.tracking.sendTitle}
            </Typography>
            <Button startIcon={<AddIcon />} onClick={() => setAdding(true)}>
              {texts.tracking.addTitle}
            </Button>
          </Box>
          {tokens.length === 0 && <Typography color="textSecondary">{texts.tracking.noTokens}</Typography>}
          {tokens.map((token) => (
            <TrackedJobCard key={token} token={token} />
          ))}
          <Box sx={{ justifySelf: "center", mt: 2 }}>
            <ColourModeSwitch />
          </Box>
        </Box>
      </Box>
      {adding && (
        <AddDelivery
          onClose={() => setAdding(false)}
          onAdd={(token) => {
            setAdding(false);
            setParameters({ [PARAMETER]: [...tokens.filter((other) => other !== token), token].join(",") });
          }}
        />
      )}
    </ViewContext.Provider>
  );
}

function tokensOf(text: string | null): string[] {
  const tokens = (text ?? "").split(",").map((token) => token.trim());
  return [...new Set(tokens.filter((token) => token !== ""))];
}

function AddDelivery({ onClose, onAdd }: { onClose: () => void; onAdd: (token: string) => void }): ReactNode {
  const [token, setToken] = useState("");
  const [checked, setChecked] = useState(false);
  const missing = token.trim() === "";
  const add = (): void => {
    setChecked(true);
    if (!missing) onAdd(token.trim().toUpperCase());
  };
  return (
    <Modal
      title={texts.tracking.addTitle}
      width={400}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" onClick={add}>
            {texts.common.add}
          </Button>
        </>
      }
    >
      <TextField
        autoFocus
        label={texts.tracking.trackingNumber}
        value={token}
        onChange={(event) => setToken(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") add();
        }}
        error={checked && missing}
        helperText={checked && missing ? texts.tracking.required : undefined}
        sx={{ mt: 0.5 }}
      />
    </Modal>
  );
}

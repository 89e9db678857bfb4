import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Tab,
  Tabs,
  TextField,
  Typography,
} from "@mui/material";
import {
  answer,
  API_BASE,
  fill,
  messageOfError,
  quietApi,
  texts,
  toastError,
  toastSuccess,
} from "@routewright/web";
import type { TrackingDevice, TrackingDeviceKey } from "@routewright/web/model";
import { QRCodeSVG } from "qrcode.react";
import { useState } from "react";
import { useRecordContext, useRefresh } from "react-admin";
import { useMay } from "../../data/organisation.ts";
import { Group } from "../../inputs/index.ts";
import { ask } from "../../ui/Question.tsx";
import { type App, APPS, scannedOf, urlOf } from "./apps.ts";

/** The device's key: made, replaced and revoked here; it is shown once. */
export function DeviceKey() {
  const device = useRecordContext<TrackingDevice>();
  const refresh = useRefresh();
  const mayWrite = useMay("vehicles_write");
  const [made, setMade] = useState<TrackingDeviceKey | null>(null);
  if (device === undefined || !mayWrite) return null;
  const words = texts.admin.trackingDevices;
  const has = device.key_made_at !== null;
  const params = { path: { id: device.id } };
  const make = async (): Promise<void> => {
    if (has && (await ask(words.newKey, words.newKeyQuestion, [words.newKey])) === null) return;
    try {
      setMade(await answer(quietApi.PUT("/tracking_devices/{id}/key", { params })));
    } catch (error) {
      toastError(messageOfError(error));
    }
  };
  const revoke = async (): Promise<void> => {
    if ((await ask(words.revoke, words.revokeQuestion, [words.revoke])) === null) return;
    try {
      await answer(quietApi.DELETE("/tracking_devices/{id}/key", { params }));
      toastSuccess(words.revoked);
      refresh();
    } catch (error) {
      toastError(messageOfError(error));
    }
  };
  const close = (): void => {
    setMade(null);
    refresh();
  };
  return (
    <Group title={words.key}>
      <Typography color="textSecondary" sx={{ maxWidth: 640 }}>
        {has ? words.hasKey : words.noKey}
      </Typography>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap", mt: 1.5 }}>
        <Button variant="outlined" onClick={() => void make()}>
          {has ? words.newKey : words.makeKey}
        </Button>
        {has && (
          <Button color="error" onClick={() => void revoke()}>
            {words.revoke}
          </Button>
        )}
      </Box>
      {made !== null && <Shown made={made} uid={device.uid} onClose={close} />}
    </Group>
  );
}

interface ShownProps {
  made: TrackingDeviceKey;
  uid: string;
  onClose: () => void;
}

/** What is put into the app, as text and as a code to scan. */
function Shown({ made, uid, onClose }: ShownProps) {
  const words = texts.admin.trackingDevices;
  const [app, setApp] = useState<App>("osmand");
  const url = urlOf(app, made, `${window.location.origin}${API_BASE}`);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(url);
    toastSuccess(texts.common.copied, { duration: 2_000 });
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby="device-key" fullWidth maxWidth="sm">
      <DialogTitle id="device-key">{fill(words.keyOf, { uid })}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <Alert severity="warning">{words.once}</Alert>
        <Tabs value={app} onChange={(_, next: App) => setApp(next)} variant="fullWidth">
          {APPS.map((name) => (
            <Tab key={name} value={name} label={words.apps[name]} />
          ))}
        </Tabs>
        <Typography>{words.how[app]}</Typography>
        <TextField
          label={words.address}
          value={url}
          multiline
          fullWidth
          slotProps={{ htmlInput: { readOnly: true, style: { overflowWrap: "anywhere" } } }}
        />
        <Box sx={{ justifySelf: "center", p: 2, bgcolor: "#fff", borderRadius: 1 }}>
          <QRCodeSVG value={scannedOf(app, url)} size={200} level="M" title={words.code} />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => void copy()}>{texts.common.copyLink}</Button>
        <Button variant="contained" onClick={onClose}>
          {texts.common.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

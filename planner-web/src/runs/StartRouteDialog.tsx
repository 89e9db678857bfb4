import { Box, Button, TextField } from "@mui/material";
import {
  decimalOf,
  fill,
  organisationNow,
  recordTimeOf,
  request,
  type Run,
  type RunProof,
  send,
  texts,
  toKm,
  useSession,
  withToast,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { MomentField } from "../fields/MomentField.tsx";
import { PhotoPicker } from "../fields/PhotoPicker.tsx";
import { SignatureField } from "../fields/SignatureField.tsx";
import { usePlanContext } from "../plan/context.ts";
import { Modal } from "../ui/Modal.tsx";
import { refreshRun } from "./actions.ts";
import { uploadFile } from "./upload-file.ts";

const MOST_PHOTOS = 5;

interface StartRouteDialogProps {
  runId: number;
  onClose: () => void;
}

interface Start {
  time: string;
  /** Kilometres. */
  odometer: number;
  photos: readonly Blob[];
  signature: Blob | null;
}

/** Starts a route on the driver's behalf: proof first, then the run itself with a run sheet token. */
export function StartRouteDialog({ runId, onClose }: StartRouteDialogProps): ReactNode {
  const { plan } = usePlanContext();
  const run = plan.runs.find(({ id }) => id === runId);
  const zone = useSession((state) => state.user?.organisation.timezone);
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const [time, setTime] = useState<string | null>(new Date(organisationNow()).toISOString());
  const [odometer, setOdometer] = useState("");
  const [photos, setPhotos] = useState<Blob[]>([]);
  const [signature, setSignature] = useState<Blob | null>(null);
  const [checked, setChecked] = useState(false);
  const [working, setWorking] = useState(false);
  const value = decimalOf(odometer);
  const problem =
    odometer.trim() === "" || !Number.isFinite(value)
      ? texts.checks.numeric
      : value < 0
        ? texts.checks.negative
        : null;

  const start = async (): Promise<void> => {
    setChecked(true);
    if (problem !== null || time === null || run === undefined) return;
    setWorking(true);
    try {
      await withToast(startRun(run, { time, odometer: toKm(value, unit), photos, signature }), {
        loading: texts.runs.start.starting,
        success: texts.runs.start.started,
        failure: texts.runs.start.failed,
      });
      onClose();
    } catch {
      setWorking(false);
    } finally {
      await refreshRun(run);
    }
  };

  return (
    <Modal
      title={`${texts.runs.startRoute} – ${run?.uid ?? ""}`}
      width={520}
      sticky
      unsaved={odometer !== "" || photos.length > 0 || signature !== null}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button variant="contained" loading={working} onClick={() => void start()}>
            {texts.runs.startRoute}
          </Button>
        </>
      }
    >
      <Box sx={{ display: "grid", gap: 2, pt: 0.5 }}>
        <MomentField
          label={texts.runs.start.time}
          value={time}
          onChange={setTime}
          zone={zone}
          problem={checked && time === null ? texts.checks.required : undefined}
        />
        <TextField
          label={fill(texts.runs.start.odometer, { unit })}
          value={odometer}
          onChange={(event) => setOdometer(event.target.value)}
          error={checked && problem !== null}
          helperText={checked ? problem : undefined}
          slotProps={{ htmlInput: { inputMode: "decimal" } }}
        />
        <PhotoPicker
          photos={photos}
          onChange={setPhotos}
          most={MOST_PHOTOS}
          label={texts.runs.start.photos}
        />
        <SignatureField label={texts.runs.start.signature} onChange={setSignature} />
      </Box>
    </Modal>
  );
}

async function startRun(run: Run, { time, odometer, photos, signature }: Start): Promise<void> {
  const stored = await Promise.all(photos.map((photo, index) => uploadFile(photo, `start-${index + 1}.jpg`)));
  const signed = signature === null ? null : await uploadFile(signature, "signature.png");
  await request<RunProof>("/run_proofs", {
    method: "POST",
    body: {
      run_id: run.id,
      mode: "start",
      record_time: recordTimeOf(new Date(time)),
      odometer,
      photo_ids: stored.map(({ id }) => id),
      signature_id: signed?.id ?? null,
    },
    quiet: true,
  });
  const { runsheet_token: token } = await request<{ runsheet_token: string }>("/auth/runsheet_token", {
    method: "POST",
    body: { token_uid: run.token },
    quiet: true,
  });
  await send("/v2/runsheet/start_route", {
    method: "PUT",
    body: { odometer, actual_start_time: time },
    headers: { Authorization: `Token ${token}` },
  });
}

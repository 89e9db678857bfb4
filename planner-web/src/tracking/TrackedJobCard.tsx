import TruckIcon from "@mui/icons-material/LocalShipping";
import PlaceIcon from "@mui/icons-material/Place";
import {
  Alert,
  Box,
  Button,
  Card,
  Chip,
  Link,
  Skeleton,
  Step,
  StepLabel,
  Stepper,
  Typography,
} from "@mui/material";
import {
  ApiError,
  apiUrl,
  clockText,
  dateText,
  type DeliveryStatus,
  Facts,
  fill,
  messageOfError,
  momentText,
  type ProofCollections,
  type Reason,
  recordTimeMoment,
  saveFile,
  send,
  texts,
  toastError,
  type TrackedJob,
  type TrackedJobDetail,
} from "@routewright/web";
import { Photos, Section } from "@routewright/web/proofs";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { boundsOf } from "../map/features.ts";
import { PlaceMarker } from "../map/JobMarker.tsx";
import { MapView } from "../map/MapView.tsx";
import { AttachmentProofs } from "../proofs/AttachmentProofs.tsx";
import { RescheduleDialog } from "./RescheduleDialog.tsx";

/** Customers have no socket: the card asks again. */
const POLL = 30_000;
const COLOURS: Record<DeliveryStatus, "default" | "info" | "success" | "error"> = {
  planned: "default",
  on_the_way: "info",
  arrived: "info",
  delivered: "success",
  failed: "error",
};

async function read<T>(path: string): Promise<T> {
  return (await (await send(path)).json()) as T;
}

/** One delivery: its status, when it is expected, where it is, and its proof. */
export function TrackedJobCard({ token }: { token: string }): ReactNode {
  const path = `/jobs/tracking/${encodeURIComponent(token)}`;
  const { data: job, error } = useQuery({
    queryKey: ["tracking", token],
    queryFn: () => read<TrackedJob>(path),
    refetchInterval: POLL,
    retry: false,
  });
  if (job === undefined) {
    if (error === null) return <Skeleton variant="rounded" height={220} />;
    const unknown = error instanceof ApiError && error.status === 401;
    return (
      <Card variant="outlined" sx={{ p: 2 }}>
        <Typography variant="subtitle2">{token}</Typography>
        <Alert severity="error">{unknown ? texts.tracking.notFound : messageOfError(error)}</Alert>
      </Card>
    );
  }
  return <JobCard job={job} path={path} token={token} />;
}

function JobCard({ job, path, token }: { job: TrackedJob; path: string; token: string }): ReactNode {
  const [rescheduling, setRescheduling] = useState(false);
  const { organisation } = job;
  const accent = organisation.colour ?? "#0f5f74";
  const open = job.status !== "delivered" && job.status !== "failed";
  return (
    <Card variant="outlined" sx={{ overflow: "hidden" }}>
      <Box sx={{ height: 4, bgcolor: accent }} />
      <Box sx={{ p: 2.5, display: "grid", gap: 2 }}>
        <Box sx={{ display: "flex", alignItems: "center", gap: 1.5 }}>
          {organisation.logo !== null && (
            <Box
              component="img"
              src={apiUrl(organisation.logo)}
              alt={organisation.name}
              sx={{ height: 32 }}
            />
          )}
          <Box sx={{ flex: 1 }}>
            <Typography variant="subtitle1">{organisation.name}</Typography>
            <Typography variant="body2" color="textSecondary">
              {job.uid} · {dateText(job.scheduled_date)}
            </Typography>
          </Box>
          <Chip label={texts.tracking.statuses[job.status]} color={COLOURS[job.status]} size="medium" />
        </Box>
        <Progress job={job} />
        {open && <Expected job={job} />}
        <Facts
          facts={[
            [texts.jobs.fields.customer_name, job.customer_name],
            [texts.jobs.fields.address, job.location.address],
            ...(job.driver?.first_name == null
              ? []
              : ([[texts.tracking.driver, job.driver.first_name]] as const)),
            ...(job.comments === null ? [] : ([[texts.jobs.fields.comments, job.comments]] as const)),
            ...(job.units_count > 0 ? ([[texts.tracking.units, String(job.units_count)]] as const) : []),
            ...(job.returns_count > 0
              ? ([[texts.tracking.returns, String(job.returns_count)]] as const)
              : []),
          ]}
        />
        {job.vehicle_position !== null && <VehicleMap job={job} />}
        {job.units_count + job.returns_count > 0 && <Attachments path={path} token={token} />}
        {job.proof !== null && <ProofPart job={job} path={path} token={token} />}
        <Box sx={{ display: "flex", alignItems: "center", gap: 2, flexWrap: "wrap" }}>
          {(organisation.contact_phone !== null || organisation.contact_email !== null) && (
            <Typography variant="body2" color="textSecondary">
              {texts.tracking.contact}:{" "}
              {organisation.contact_phone !== null && (
                <Link href={`tel:${organisation.contact_phone}`}>{organisation.contact_phone}</Link>
              )}{" "}
              {organisation.contact_email !== null && (
                <Link href={`mailto:${organisation.contact_email}`}>{organisation.contact_email}</Link>
              )}
            </Typography>
          )}
          {open && job.idm && job.reschedule?.enabled === true && (
            <Button onClick={() => setRescheduling(true)}>{texts.tracking.reschedule}</Button>
          )}
        </Box>
      </Box>
      {rescheduling && <RescheduleDialog job={job} path={path} onClose={() => setRescheduling(false)} />}
    </Card>
  );
}

const STEPS: readonly DeliveryStatus[] = ["planned", "on_the_way", "arrived", "delivered"];

/** Where the delivery stands, with the times that are known: the day, when it is expected, when it was done. */
function Progress({ job }: { job: TrackedJob }): ReactNode {
  const { status, timezone: zone, eta_range: range, proof } = job;
  const done = proof === null ? null : clockText(recordTimeMoment(proof.record_time), zone);
  const times: Record<DeliveryStatus, string | null> = {
    planned: job.scheduled_date === null ? null : dateText(job.scheduled_date),
    on_the_way: null,
    arrived: range === null ? null : rangeText(range, zone),
    delivered: done,
    failed: done,
  };
  const failed = status === "failed";
  const steps = failed ? [...STEPS.slice(0, 3), "failed" as const] : STEPS;
  const active = steps.indexOf(status);
  const ended = failed || status === "delivered";
  return (
    <Stepper activeStep={ended ? steps.length : active} alternativeLabel>
      {steps.map((step) => (
        <Step key={step}>
          <StepLabel error={step === "failed"}>
            {texts.tracking.statuses[step]}
            {times[step] !== null && (
              <Typography variant="caption" component="div" color="textSecondary">
                {times[step]}
              </Typography>
            )}
          </StepLabel>
        </Step>
      ))}
    </Stepper>
  );
}

function rangeText({ from, to }: { from: string; to: string }, zone: string): string {
  return fill(texts.tracking.expectedBetween, { from: clockText(from, zone), to: clockText(to, zone) });
}

function Expected({ job }: { job: TrackedJob }): ReactNode {
  const stops = job.stops_before;
  if (job.eta_range === null && stops === null) return null;
  return (
    <Box>
      {job.eta_range !== null && (
        <>
          <Typography variant="body2" color="textSecondary">
            {texts.tracking.expected}
          </Typography>
          <Typography sx={{ fontSize: "1.5rem", fontWeight: 650, fontVariantNumeric: "tabular-nums" }}>
            {rangeText(job.eta_range, job.timezone)}
          </Typography>
        </>
      )}
      {stops !== null && <Typography variant="body2">{stopsText(stops)}</Typography>}
    </Box>
  );
}

function stopsText(n: number): string {
  if (n === 0) return texts.tracking.nextStop;
  return n === 1 ? texts.tracking.oneStopBefore : fill(texts.tracking.stopsBefore, { n });
}

function VehicleMap({ job }: { job: TrackedJob }): ReactNode {
  const position = job.vehicle_position;
  if (position === null) return null;
  return (
    <Box sx={{ position: "relative", height: 260, borderRadius: 1, overflow: "hidden" }}>
      <MapView
        onReady={(map) => {
          const box = boundsOf([position, job.location]);
          if (box !== null) map.libre.fitBounds(box, { padding: 50, maxZoom: 15, animate: false });
        }}
      >
        <PlaceMarker
          lat={job.location.lat}
          lng={job.location.lon}
          colour={job.organisation.colour ?? "#0f5f74"}
          label={job.location.address}
        >
          <PlaceIcon />
        </PlaceMarker>
        <PlaceMarker
          lat={position.lat}
          lng={position.lon}
          colour="#1f6fb2"
          label={texts.tracking.vehicleHere}
        >
          <TruckIcon />
        </PlaceMarker>
      </MapView>
    </Box>
  );
}

/** What the delivery carries, with the proofs of each unit and return; folded away at first. */
function Attachments({ path, token }: { path: string; token: string }): ReactNode {
  const { data: job } = useQuery({
    queryKey: ["tracking", token, "all"],
    queryFn: () => read<TrackedJobDetail>(`${path}/all`),
    retry: false,
  });
  const { data: proofs } = useQuery({
    queryKey: ["tracking", token, "proofs"],
    queryFn: () => read<ProofCollections>(`${path}/proofs`),
    retry: false,
  });
  const { data: reasons = [] } = useQuery({
    queryKey: ["tracking", token, "reasons"],
    queryFn: () => read<Reason[]>(`/jobs_tracking/${encodeURIComponent(token)}/reasons`),
    retry: false,
  });
  if (job === undefined || proofs === undefined) return null;
  return (
    <Section title={texts.tracking.attachments} closed>
      <AttachmentProofs
        job={job}
        proofs={proofs}
        reasons={new Map(reasons.map((reason) => [reason.id, reason]))}
        view="tracking"
      />
    </Section>
  );
}

function ProofPart({ job, path, token }: { job: TrackedJob; path: string; token: string }): ReactNode {
  const { data } = useQuery({
    queryKey: ["tracking", token, "proofs", job.proof?.record_time],
    queryFn: () => read<ProofCollections>(`${path}/proofs`),
    retry: false,
  });
  const { proof } = job;
  if (proof === null) return null;
  const latest =
    data?.job_proofs.find(({ record_time: time }) => time === proof.record_time) ?? data?.job_proofs[0];
  const download = async (): Promise<void> => {
    try {
      saveFile(await (await send(`${path}/proof_of_delivery_pdf`)).blob(), `pod-${job.uid}.pdf`);
    } catch {
      toastError(texts.proofs.noPdf);
    }
  };
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", alignItems: "center" }}>
        <Typography variant="subtitle1" sx={{ flex: 1 }}>
          {texts.tracking.proof}
        </Typography>
        <Button onClick={() => void download()}>{texts.tracking.downloadPod}</Button>
      </Box>
      <Facts
        facts={[
          [texts.proofs.recorded, momentText(recordTimeMoment(proof.record_time), job.timezone)],
          ...(proof.reason === null ? [] : ([[texts.proofs.reason, proof.reason]] as const)),
          [texts.proofs.signedBy, proof.signature_name],
        ]}
      />
      {latest !== undefined && <Photos photos={latest.photos} signature={latest.signature} />}
    </Box>
  );
}

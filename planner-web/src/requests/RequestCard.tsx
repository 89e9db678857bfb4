import { Box, Button, Card, Typography } from "@mui/material";
import {
  clockText,
  type DistanceUnit,
  distanceText,
  durationText,
  fill,
  mayCall,
  scenarioDateText,
  session,
  texts,
  toastSuccess,
  useSession,
} from "@routewright/web";
import { type ReactNode, useState } from "react";
import { accept, type RescheduleFit, type RescheduleRequest, settle, useFit } from "./requests.ts";

/** One request of a customer: what he wants, whether a plan takes it and at what cost, and the one click that does it. */
export function RequestCard({ asked }: { asked: RescheduleRequest }): ReactNode {
  const { data: fit, error, isFetching } = useFit(asked.id);
  const [busy, setBusy] = useState(false);
  const unit = useSession((state) => state.user?.organisation.settings.distance_unit ?? "km");
  const zone = useSession((state) => state.user?.organisation.timezone);
  const { user } = session();
  const mayAccept = mayCall("POST", `/reschedule_requests/${asked.id}/accept`, user);
  const maySettle = mayCall("PATCH", `/reschedule_requests/${asked.id}`, user);
  const act = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      toastSuccess(await work());
    } catch {
      // Told by the request.
    } finally {
      setBusy(false);
    }
  };
  const planned =
    asked.scheduled_date === null ? texts.requests.noDay : scenarioDateText(asked.scheduled_date);
  return (
    <Card
      component="section"
      variant="outlined"
      aria-label={asked.job_uid}
      sx={{ p: 1.5, display: "grid", gap: 1 }}
    >
      <Box sx={{ display: "flex", columnGap: 1, flexWrap: "wrap", alignItems: "baseline" }}>
        <Typography sx={{ fontWeight: 650 }}>{asked.job_uid}</Typography>
        <Typography color="textSecondary">{asked.customer_name}</Typography>
      </Box>
      <Typography>{fill(texts.requests.wants, { from: planned, to: wishText(asked) })}</Typography>
      {asked.note !== null && (
        <Typography variant="body2" sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {fill(texts.requests.note, { note: asked.note })}
        </Typography>
      )}
      <Typography variant="body2" color={fit?.fits === true ? "success" : "textSecondary"} aria-live="polite">
        {fit === undefined
          ? error === null
            ? isFetching && texts.requests.looking
            : texts.requests.unknown
          : fitText(fit, unit, zone)}
      </Typography>
      <Box sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
        {maySettle && (
          <Button
            disabled={busy}
            onClick={() => void act(() => settle(asked).then(() => texts.requests.settled))}
          >
            {texts.requests.settle}
          </Button>
        )}
        {mayAccept && (
          <Button
            variant="contained"
            disabled={fit?.fits !== true}
            loading={busy}
            onClick={() =>
              void act(() =>
                accept(asked).then(() =>
                  fill(texts.requests.accepted, { uid: asked.job_uid, to: wishText(asked) }),
                ),
              )
            }
          >
            {texts.requests.accept}
          </Button>
        )}
      </Box>
    </Card>
  );
}

/** `2026/11/25, 09:00–12:00` */
export function wishText({ date, time_from: from, time_to: to }: RescheduleRequest): string {
  const day = scenarioDateText(date);
  return from === null && to === null ? day : `${day}, ${from ?? "…"}–${to ?? "…"}`;
}

/** `Fits on Ana: 10:20 · +2.1 km · +6 min driving` */
function fitText(fit: RescheduleFit, unit: DistanceUnit, zone: string | undefined): string {
  if (!fit.fits) return texts.requests.reasons[fit.reason as keyof typeof texts.requests.reasons];
  if (fit.open || fit.eta === null) return texts.requests.open;
  const signed = (value: number, text: string): string => (value < 0 ? `−${text}` : `+${text}`);
  const parts = [
    clockText(fit.eta, zone),
    signed(fit.added_distance, distanceText(Math.abs(fit.added_distance), unit)),
    fill(texts.requests.driving, {
      time: signed(fit.added_driving, durationText(Math.abs(fit.added_driving))),
    }),
    ...(fit.added_cost === null
      ? []
      : [
          fill(texts.problems.addedCost, {
            cost: signed(fit.added_cost, Math.abs(fit.added_cost).toFixed(2)),
          }),
        ]),
  ];
  const place = fill(texts.requests.fits, { run: fit.run_uid ?? "", plan: fit.scenario_name ?? "" });
  return `${place}: ${parts.join(" · ")}`;
}

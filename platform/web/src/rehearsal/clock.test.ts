import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { organisationNow, setOrganisationClock } from "./clock.ts";

beforeEach(() => vi.useFakeTimers({ now: Date.parse("2026-03-01T12:00:00Z") }));
afterEach(() => {
  setOrganisationClock(null);
  vi.useRealTimers();
});

const clock = (): string => new Date(organisationNow()).toISOString().slice(11, 19);
const told = { now: "2026-07-01T08:00:00Z", ends: "2026-07-01T20:00:00Z", speed: 60, paused: false };

it("issue 13.5: in earnest it is the browser's clock", () => {
  expect(clock()).toBe("12:00:00");
});

it("issue 13.5: a rehearsal has its own, which runs as fast as it is told, stands while paused, and ends", () => {
  setOrganisationClock(told);
  vi.advanceTimersByTime(60_000);
  expect(clock()).toBe("09:00:00");
  // Somebody sets the browser's clock: simulated time goes on.
  vi.setSystemTime(Date.parse("2030-01-01T00:00:00Z"));
  vi.advanceTimersByTime(60_000);
  expect(clock()).toBe("10:00:00");
  setOrganisationClock({ ...told, paused: true });
  vi.advanceTimersByTime(600_000);
  expect(clock()).toBe("08:00:00");
  setOrganisationClock(told);
  vi.advanceTimersByTime(3_600_000);
  expect(clock()).toBe("20:00:00");
});

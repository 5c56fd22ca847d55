"use client";
import { lazyPart, useClockOffset } from "@stashlight/ui";

const ClockCallout = lazyPart(async () => (await import("./clock-callout.tsx")).ClockCallout);

/** Difference below which no warning is shown, since the server's clock is used in any case. */
const TOLD_FROM_MS = 30_000;

export function ClockNotice() {
  const offsetMs = useClockOffset();
  return Math.abs(offsetMs) < TOLD_FROM_MS ? null : <ClockCallout offsetMs={offsetMs} />;
}

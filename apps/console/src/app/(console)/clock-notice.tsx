"use client";
import { lazyPart, useClockOffset } from "@stashlight/ui";

const ClockCallout = lazyPart(async () => (await import("./clock-callout.tsx")).ClockCallout);

/** A smaller difference needs no warning, because the console uses the server's clock anyway. */
const TOLD_FROM_MS = 30_000;

export function ClockNotice() {
  const offsetMs = useClockOffset();
  return Math.abs(offsetMs) < TOLD_FROM_MS ? null : <ClockCallout offsetMs={offsetMs} />;
}

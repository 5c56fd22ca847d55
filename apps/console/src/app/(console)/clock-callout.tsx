"use client";
import { formatSpan, useClockOffset } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";

/** Shorter differences disturb nobody, as the server's clock is used in any case. */
const TOLD_FROM_MS = 30_000;

/** Says that the browser's clock is off, and that what the console shows is not. */
export function ClockNotice() {
  const offsetMs = useClockOffset();
  if (Math.abs(offsetMs) < TOLD_FROM_MS) return null;
  // The page took a moment to come, and a day less a second is a day.
  const span = formatSpan(Math.round(Math.abs(offsetMs) / TOLD_FROM_MS) * TOLD_FROM_MS);
  const way = offsetMs > 0 ? "behind" : "ahead of";
  return (
    <Callout status="warning" className="m-4 mb-0 md:mx-6">
      This browser's clock is {span} {way} the server's. The console uses the server's clock. Set the clock of
      this machine.
    </Callout>
  );
}

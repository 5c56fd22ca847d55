import { formatSpan } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";

const ROUNDED_TO_MS = 30_000;

/** Warns that the browser's clock is off, and that the console's times are not. */
export function ClockCallout({ offsetMs }: { offsetMs: number }) {
  // Rounds, because the page takes a moment to load: a day less a second counts as a day.
  const span = formatSpan(Math.round(Math.abs(offsetMs) / ROUNDED_TO_MS) * ROUNDED_TO_MS);
  const way = offsetMs > 0 ? "behind" : "ahead of";
  return (
    <Callout status="warning" className="m-4 mb-0 md:mx-6">
      This browser's clock is {span} {way} the server's. The console uses the server's clock. Set the clock of
      this machine.
    </Callout>
  );
}

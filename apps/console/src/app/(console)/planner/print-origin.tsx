"use client";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { useNow } from "@stashlight/ui";
import { Wordmark } from "@stashlight/ui/brand";
import { Time } from "@stashlight/ui/data";

/** Printed header: date and source of the figures. */
export function PrintOrigin({ vault }: { vault: string | null }) {
  const nowMs = useNow(MINUTE_MS);
  return (
    <p className="hidden items-center gap-2 text-sm text-muted print:flex">
      <Wordmark />
      {nowMs !== null && <Time value={nowMs} />}
      {vault === null ? "· inputs as entered" : `· inputs from the fleet are figures of the vault ${vault}`}
    </p>
  );
}

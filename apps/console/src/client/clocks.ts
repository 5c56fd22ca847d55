import type { NodeRow } from "@stashlight/contracts/node";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { formatSpan } from "@stashlight/ui";

/** Clock offset from which a node's windows visibly differ from those of others. */
export const skewWarningMs = 2_000;

/** "+12 ms", "−2.5 s", "+15 min": offset of a node's clock from the server's. */
export function formatSkew(skewMs: number): string {
  const size = Math.abs(skewMs);
  const seconds = size < MINUTE_MS ? `${(size / 1000).toFixed(1)} s` : formatSpan(size);
  const amount = size < 1000 ? `${size.toFixed(0)} ms` : seconds;
  if (amount === "0 ms") return amount;
  return `${skewMs < 0 ? "−" : "+"}${amount}`;
}

/** Returns true if an active node reports, and its clock is off. */
export const isClockWrong = ({ status, skewMs, silentSeconds }: Omit<ClockOfNode, "name">): boolean =>
  status === "active" && skewMs !== null && silentSeconds === null && Math.abs(skewMs) > skewWarningMs;

export type ClockOfNode = Pick<NodeRow, "name" | "status" | "skewMs" | "silentSeconds">;

import { SAMPLE_AHEAD_MS_MAX } from "@stashlight/contracts/metrics";
import { formatSpan } from "@stashlight/ui";
import { type ClockOfNode, isClockWrong } from "./clocks.ts";

/**
 * "The clock of a1 is 15 min ahead of the server's, and 2 more nodes have wrong clocks.": the node whose clock is off
 * most; null if the clocks of all nodes that report are right.
 */
export function describeClocks(nodes: readonly ClockOfNode[]): { title: string; effect: string } | null {
  const apart = nodes
    .filter(isClockWrong)
    .toSorted((one, other) => Math.abs(other.skewMs ?? 0) - Math.abs(one.skewMs ?? 0));
  const [worst, ...others] = apart;
  if (worst === undefined) return null;
  const { skewMs } = worst;
  const offset = `${formatSpan(Math.abs(skewMs ?? 0))} ${(skewMs ?? 0) > 0 ? "ahead of" : "behind"} the server's`;
  const more =
    others.length === 0
      ? ""
      : `, and ${others.length === 1 ? "one more node has a wrong clock" : `${others.length} more nodes have wrong clocks`}`;
  const isRefused = apart.some((node) => (node.skewMs ?? 0) > SAMPLE_AHEAD_MS_MAX);
  const refused = `, and those more than ${formatSpan(SAMPLE_AHEAD_MS_MAX)} ahead are not stored`;
  return {
    title: `The clock of ${worst.name} is ${offset}${more}.`,
    effect: `Measurements carry the wrong time${isRefused ? refused : ""}. Correct the clock.`,
  };
}

/** A scenario's time as stretches in which the same faults are in force. */
import type { ScenarioFault, ScenarioOptions } from "./options.ts";

export interface Regime {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly awayPodCount: number;
  readonly slow: readonly { readonly of: "pod" | "stash"; readonly factor: number }[];
  readonly deadServerCount: number;
}

function faultEnd(fault: ScenarioFault): number {
  return fault.type === "dead stash server"
    ? Number.POSITIVE_INFINITY
    : fault.atSecond + fault.durationSeconds;
}

function isInForce(fault: ScenarioFault, second: number): boolean {
  return fault.atSecond <= second && second < faultEnd(fault);
}

export function splitRegimes({ faults, durationSeconds }: ScenarioOptions): Regime[] {
  const bounds = new Set([0, durationSeconds]);
  for (const fault of faults)
    for (const second of [fault.atSecond, faultEnd(fault)])
      if (second > 0 && second < durationSeconds) bounds.add(second);
  const seconds = [...bounds].sort((a, b) => a - b);
  return seconds.slice(0, -1).map((fromSecond, i) => {
    const inForce = faults.filter((fault) => isInForce(fault, fromSecond));
    return {
      fromSecond,
      toSecond: seconds[i + 1] as number,
      awayPodCount: Math.max(
        0,
        ...inForce.map((fault) => (fault.type === "pod outage" ? fault.podCount : 0)),
      ),
      slow: inForce.flatMap((fault) =>
        fault.type === "slow drive" ? [{ of: fault.of, factor: fault.factor }] : [],
      ),
      deadServerCount: inForce.filter(({ type }) => type === "dead stash server").length,
    };
  });
}

export function describeRegime({ awayPodCount, slow, deadServerCount }: Regime): string {
  const parts = [
    ...(awayPodCount > 0 ? [`${awayPodCount} pod${awayPodCount === 1 ? "" : "s"} away`] : []),
    ...slow.map(({ of, factor }) => `a ${of} drive ${factor} times as slow`),
    ...(deadServerCount > 0
      ? [`${deadServerCount} stash server${deadServerCount === 1 ? "" : "s"} dead`]
      : []),
  ];
  return parts.length === 0 ? "no fault" : parts.join(", ");
}

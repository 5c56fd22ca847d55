/** When each vault's pods and its stash will be full, at the growth of the week. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { type TimeToFull, timeToFull } from "@stashlight/contracts/vault/time-to-full";
import { type FillBand, fillBand } from "@stashlight/planner/fill-band";

export interface Fill {
  readonly name: string;
  /** Null where no capacity was reported. */
  readonly share: number | null;
  readonly told: TimeToFull;
  /** Null where it does not fill, or the week has too few windows for a band. */
  readonly band: FillBand | null;
  /** The newest point of it. */
  readonly atMs: number;
}

/** `used` and `capacity` are gauges by vault over the same range. */
export function fillsOf(used: MetricAnswer, capacity: MetricAnswer, words: string): Fill[] {
  const capacities = new Map(
    capacity.series.flatMap(({ labels, columns }) =>
      columns.kind === "gauge" ? [[labels.vault ?? "", columns.last.at(-1) ?? null]] : [],
    ),
  );
  return used.series.flatMap(({ labels, endMs, columns }) => {
    const [vault, live, atMs] = [
      labels.vault ?? "",
      columns.kind === "gauge" ? columns.avg : [],
      endMs.at(-1),
    ];
    if (atMs === undefined) return [];
    const capacityBytes = capacities.get(vault) ?? null;
    const growth = { endMs, liveBytes: live, capacityBytes };
    const told = timeToFull(growth);
    const last = columns.kind === "gauge" ? columns.last.at(-1) : undefined;
    return [
      {
        name: `${words} of ${vault || "no vault"}`,
        share: capacityBytes === null || last === undefined ? null : last / capacityBytes,
        told,
        band: fillBand(growth, told),
        atMs,
      },
    ];
  });
}

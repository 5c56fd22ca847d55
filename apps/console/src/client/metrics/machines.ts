/** Machines of nodes: which nodes share one, its state at a moment, and drives that it slows down alike. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { answerTo } from "./answer-to.ts";
import type { MetricSelection } from "./use-metrics.ts";

const load = "stashlight_machine_load";
const processors = "stashlight_machine_processors";
const iowait = "stashlight_machine_iowait_ratio";
const pressure = "stashlight_machine_pressure_ratio";

/** Queries each node's machine; nodes of older agents report none. */
export const machineSelection: MetricSelection = {
  metric: load,
  groupBy: ["vault", "node", "machine"],
  across: "max",
  pointCountMax: 20,
  summarise: true,
};

/** Keyed by node name. */
export const machinesByNode = (answer: MetricAnswer | undefined): ReadonlyMap<string, string> =>
  new Map(
    (answer?.series ?? []).flatMap(({ labels: { node, machine } }): [string, string][] =>
      node === undefined || machine === undefined ? [] : [[node, machine]],
    ),
  );

/** Queries a machine's waits over the page's time range. */
export const machineStateSelections = (machine: string): MetricSelection[] => {
  const ask = (metric: MetricName, groupBy: SeriesLabel[] = []): MetricSelection => ({
    metric,
    groupBy,
    across: "max",
    where: { machine: [machine] },
  });
  return [ask(load), ask(processors), ask(iowait), ask(pressure, ["resource"])];
};

/** Null for values that the machine did not report at that moment. */
export interface MachineState {
  readonly load: number | null;
  readonly processors: number | null;
  readonly iowaitShare: number | null;
  /** Shares of the time in which at least one process waited. */
  readonly waits: { readonly cpu: number | null; readonly memory: number | null; readonly io: number | null };
}

/** Takes the answers to `machineStateSelections`. */
export function readMachineState(answers: readonly MetricAnswer[], atMs: number): MachineState {
  const read = (metric: MetricName, resource?: string): number | null => {
    const answer = answerTo(answers, metric);
    const series = answer?.series.find(({ labels }) => labels.resource === resource);
    if (answer === undefined || series?.columns.kind !== "gauge") return null;
    const place = series.endMs.findIndex((endMs) => endMs >= atMs && endMs - answer.stepMs < atMs);
    return series.columns.max[place] ?? null;
  };
  return {
    load: read(load),
    processors: read(processors),
    iowaitShare: read(iowait),
    waits: { cpu: read(pressure, "cpu"), memory: read(pressure, "memory"), io: read(pressure, "io") },
  };
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** "load 9.6 on 2 processors, iowait 45 %; its processes waited for drives 88 %, for a processor 12 % of the time". */
export function describeMachineState({ load, processors, iowaitShare, waits }: MachineState): string {
  const on = processors === null ? "" : ` on ${processors} processor${processors === 1 ? "" : "s"}`;
  const levels = [
    ...(load === null ? [] : [`load ${Number(load.toPrecision(2))}${on}`]),
    ...(iowaitShare === null ? [] : [`iowait ${percent(iowaitShare)}`]),
  ];
  const words = { io: "for drives", cpu: "for a processor", memory: "for memory" } as const;
  const waited = (["io", "cpu", "memory"] as const).flatMap((resource) => {
    const share = waits[resource];
    return share === null ? [] : [`${words[resource]} ${percent(share)}`];
  });
  const pressures = waited.length === 0 ? [] : [`its processes waited ${waited.join(", ")} of the time`];
  const told = [...(levels.length === 0 ? [] : [levels.join(", ")]), ...pressures];
  return told.length === 0 ? "it reported neither load nor iowait nor pressure" : told.join("; ");
}

/** Drives of a machine count as slow for one reason if their latency is at least this share of the slowest drive's. */
const ALIKE_SHARE = 0.9;

export interface AlikeDrives<Row> {
  readonly slowest: Row;
  /** Null if the machine is unknown. */
  readonly machine: string | null;
  /** Drives of the same machine with similar latency. */
  readonly others: readonly Row[];
}

/** Ranked drives, with equally slow ones of one machine merged into the row of the slowest. */
export function foldAlikeDrives<Row extends { readonly node: string; readonly seconds: number | null }>(
  rows: readonly Row[],
  machines: ReadonlyMap<string, string>,
): AlikeDrives<Row>[] {
  const folded: { slowest: Row; machine: string | null; others: Row[] }[] = [];
  for (const row of rows) {
    const machine = machines.get(row.node) ?? null;
    const alike = folded.find(
      (group) => machine !== null && group.machine === machine && isAlike(group.slowest.seconds, row.seconds),
    );
    if (alike === undefined) folded.push({ slowest: row, machine, others: [] });
    else alike.others.push(row);
  }
  return folded;
}

const isAlike = (slowest: number | null, other: number | null): boolean =>
  slowest !== null && other !== null && other >= ALIKE_SHARE * slowest;

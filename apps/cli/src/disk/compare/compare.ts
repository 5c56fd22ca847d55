/** `stashlight disk compare`: groups of hosts, such as providers, side by side in every cell that all of them have. */
import {
  compareGroups,
  createRandom,
  type GroupContest,
  type HostRuns,
  varianceComponents,
} from "@stashlight/stats";
import { renderTable } from "../../table.ts";
import { counted, formatCount, formatShare, formatSize } from "../../units.ts";
import { UsageError } from "../../usage-error.ts";
import type { CompareCommand } from "../arguments.ts";
import { type ReadRun, readRun } from "./read-run.ts";

type MeasuredCell = ReadRun["cells"][number];
/** The measured cells of each host's runs. */
type Hosts = readonly (readonly MeasuredCell[])[];

const CONFIDENCE = 0.95;
/** compareGroups takes no larger one. */
const CONFIDENCE_MAX = 0.9999;
const SEED = 1;
const NONE = "–";

/** Returns the exit code. Throws a UsageError if a file cannot be compared. */
export async function compareRuns(
  { runs: asked }: CompareCommand,
  say: (line: string) => void,
): Promise<number> {
  const runs: ReadRun[] = [];
  for (const argument of asked) runs.push(await readRun(argument));
  for (const line of linesOf(runs)) say(line);
  return 0;
}

function linesOf(runs: readonly ReadRun[]): string[] {
  const groups = [...Map.groupBy(runs, ({ group }) => group)].map(([name, all]) => ({
    name,
    hosts: [...Map.groupBy(all, ({ host }) => host).values()],
  }));
  const cells = commonCells(runs);
  if (cells.length === 0) {
    throw new UsageError("The files have no cell in common; compare runs of the same preset.");
  }
  // Every cell is a test of its own, so each has to be surer (Bonferroni).
  const confidence = Math.min(CONFIDENCE_MAX, 1 - (1 - CONFIDENCE) / cells.length);
  const names = groups.map(({ name }) => name);
  const told = cells.map(({ key, cell }) => {
    const hostsOf = groups.map(({ hosts }) =>
      hosts.map((ofHost) => ofHost.flatMap((run) => run.cells.find((each) => keyOf(each) === key) ?? [])),
    );
    return tellCell(cell, names, hostsOf, confidence);
  });
  const modelled = runs.filter(({ label }) => label === "modelled");
  return [
    ...renderTable(
      columns,
      told.flatMap(({ rows }) => rows),
    ),
    ...told.map(({ sentence }) => sentence),
    `IOPS are the median over hosts of the median over their runs; the interval is a bootstrap by host and run, at 95 % or the most that so many hosts support. ${counted(cells.length, "cell")} tested together at 95 %. The last three columns are standard deviations as shares of the mean, between hosts, between runs of a host, and between seconds of a run.`,
    ...(modelled.length === 0
      ? []
      : [
          `Modelled, with a limit of this program in front of the drive: ${modelled.map(({ path }) => path).join(", ")}.`,
        ]),
  ];
}

function keyOf({ cell: { access, readShare, blockBytes, queueDepth } }: MeasuredCell): string {
  return [access, readShare, blockBytes, queueDepth].join(" ");
}

/** The cells that every file has, by access, operation, queue depth and block size. */
function commonCells(runs: readonly ReadRun[]): { key: string; cell: MeasuredCell["cell"] }[] {
  const keys = runs.map(({ cells }) => new Set(cells.map(keyOf)));
  const all = new Map(runs.flatMap(({ cells }) => cells.map((each) => [keyOf(each), each.cell] as const)));
  return [...all]
    .filter(([key]) => keys.every((ofRun) => ofRun.has(key)))
    .sort(
      ([, a], [, b]) =>
        a.access.localeCompare(b.access) ||
        b.readShare - a.readShare ||
        a.queueDepth - b.queueDepth ||
        a.blockBytes - b.blockBytes,
    )
    .map(([key, cell]) => ({ key, cell }));
}

const columns = [
  { title: "CELL" },
  { title: "GROUP" },
  { title: "HOSTS", isRight: true },
  { title: "RUNS", isRight: true },
  { title: "IOPS", isRight: true },
  { title: "INTERVAL", isRight: true },
  { title: "MB/s", isRight: true },
  { title: "SD HOSTS", isRight: true },
  { title: "SD RUNS", isRight: true },
  { title: "SD SECONDS", isRight: true },
];

function tellCell(
  cell: MeasuredCell["cell"],
  names: readonly string[],
  groups: readonly Hosts[],
  confidence: number,
) {
  const rates = groups.map((hosts) =>
    hosts.map((runs) => runs.map(({ readsPerSecond, writesPerSecond }) => readsPerSecond + writesPerSecond)),
  );
  const shown = compareGroups({ groups: rates, random: createRandom(SEED), confidence: CONFIDENCE });
  const tested = compareGroups({ groups: rates, random: createRandom(SEED), confidence, drawCount: 100 });
  const name = nameOf(cell);
  const rows = shown.groups.map(({ median: iops, interval, hostCount }, i) => [
    name,
    names[i] as string,
    String(hostCount),
    String((rates[i] as number[][]).flat().length),
    formatCount(iops),
    interval === null
      ? NONE
      : `${formatCount(interval.low)} to ${formatCount(interval.high)} (${formatShare(interval.confidence)})`,
    ((iops * cell.blockBytes) / 1e6).toFixed(1),
    ...spreadOf(groups[i] as Hosts),
  ]);
  const contests = tested.contests.map((contest) =>
    describeContest(
      contest,
      names,
      shown.groups.map(({ median: iops }) => iops),
    ),
  );
  return { rows, sentence: `${name}: ${contests.join(" ")}` };
}

function nameOf({ access, readShare, blockBytes, queueDepth }: MeasuredCell["cell"]): string {
  const share =
    readShare === 1 ? "reads" : readShare === 0 ? "writes" : `${Math.round(readShare * 100)} % reads`;
  return `${access} ${share}, ${formatSize(blockBytes)}, queue depth ${queueDepth}`;
}

/** Standard deviations of the three levels as shares of the mean; nothing where too few were measured. */
function spreadOf(hosts: Hosts): string[] {
  const seconds: HostRuns[] = hosts.map((runs) => runs.map(({ perSecond }) => perSecond.iops));
  const all = seconds.flat().flatMap((run) => Array.from(run));
  const mean = all.reduce((sum, iops) => sum + iops, 0) / all.length;
  const canTell =
    hosts.length > 1 &&
    seconds.some((runs) => runs.length > 1) &&
    seconds.flat().every((run) => run.length > 1) &&
    mean > 0;
  if (!canTell) return [NONE, NONE, NONE];
  const { betweenHosts, betweenRuns, withinRuns } = varianceComponents(seconds);
  return [betweenHosts, betweenRuns, withinRuns].map(({ variance }) =>
    formatShare(Math.sqrt(variance) / mean),
  );
}

function describeContest(
  { a, b, verdict, pValue, confidenceMax }: GroupContest,
  names: readonly string[],
  medians: readonly number[],
): string {
  const [nameA, nameB] = [names[a] as string, names[b] as string];
  switch (verdict) {
    case "a-higher":
      return `${nameA} is faster than ${nameB}, with ${ratio(medians[a] as number, medians[b] as number)} the IOPS (p ${pValue.toFixed(4)}).`;
    case "b-higher":
      return `${nameB} is faster than ${nameA}, with ${ratio(medians[b] as number, medians[a] as number)} the IOPS (p ${pValue.toFixed(4)}).`;
    case "undecided":
      return `${nameA} and ${nameB} cannot be told apart (p ${pValue.toFixed(4)}).`;
    case "too-few-hosts":
      return `So few hosts cannot tell ${nameA} from ${nameB}; they support ${formatShare(confidenceMax)} at most.`;
  }
}

const ratio = (high: number, low: number): string =>
  low === 0 ? "infinitely many times" : `${(high / low).toFixed(2)} times`;

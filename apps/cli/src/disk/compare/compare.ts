/** `stashlight disk compare`: compares groups of hosts, such as providers, in every cell that all of them have. */
import { type ComparedCell, type ComparedFigure, diskCellKey } from "@stashlight/contracts/disk";
import { compareCells } from "@stashlight/devices/findings";
import { renderTable } from "../../table.ts";
import { counted, formatCount, formatShare } from "../../units.ts";
import { UsageError } from "../../usage-error.ts";
import type { CompareCommand } from "../arguments.ts";
import { type ReadRun, readRun } from "./read-run.ts";

const NONE = "–";

/** Returns the exit code. Throws a UsageError if a file cannot be compared. */
export async function compareRuns(
  { runs: asked }: CompareCommand,
  say: (line: string) => void,
): Promise<number> {
  const runs: ReadRun[] = [];
  for (const argument of asked) runs.push(await readRun(argument));
  for (const line of comparisonLines(runs)) say(line);
  return 0;
}

function comparisonLines(runs: readonly ReadRun[]): string[] {
  const common = commonKeys(runs);
  if (common.size === 0) {
    throw new UsageError("The files have no cell in common; compare runs of the same preset.");
  }
  const groups = [...Map.groupBy(runs, ({ group }) => group)].map(([name, ofGroup]) => ({
    name,
    hosts: [...Map.groupBy(ofGroup, ({ host }) => host).values()].map((ofHost) =>
      ofHost.map(({ cells }) => cells.filter(({ cell }) => common.has(diskCellKey(cell)))),
    ),
  }));
  const { cells } = compareCells(groups);
  const modelled = runs.filter(({ label }) => label === "modelled");
  return [
    ...renderTable(
      columns,
      cells.flatMap((each) =>
        each.figures.flatMap((figure, i) => comparisonRows(each, figure, groups[i]?.name ?? "")),
      ),
    ),
    ...cells.map(({ title, verdicts }) => `${title}: ${verdicts.join(" ")}`),
    `IOPS are the median over hosts of the median over their runs; the interval is a bootstrap by host and run, at 95 %, or less where there are too few hosts. ${counted(cells.length, "cell")} tested together at 95 %. The last three columns are standard deviations as shares of the mean, between hosts, between runs of a host, and between seconds of a run.`,
    ...(modelled.length === 0
      ? []
      : [
          `Modelled, with a limit of this program in front of the drive: ${modelled.map(({ path }) => path).join(", ")}.`,
        ]),
  ];
}

/** Keys of the cells that every file has. */
function commonKeys(runs: readonly ReadRun[]): Set<string> {
  const [first, ...others] = runs.map(({ cells }) => new Set(cells.map(({ cell }) => diskCellKey(cell))));
  return new Set([...(first ?? [])].filter((key) => others.every((keys) => keys.has(key))));
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

function comparisonRows(
  { title, cell }: ComparedCell,
  figure: ComparedFigure | null,
  group: string,
): string[][] {
  if (figure === null) return [];
  const { iops, interval, hostCount, runCount, spread } = figure;
  const row = [
    title,
    group,
    String(hostCount),
    String(runCount),
    formatCount(iops),
    interval === null
      ? NONE
      : `${formatCount(interval.low)} to ${formatCount(interval.high)} (${formatShare(interval.confidence)})`,
    ((iops * cell.blockBytes) / 1e6).toFixed(1),
    ...(spread === null ? [NONE, NONE, NONE] : [spread.hosts, spread.runs, spread.seconds].map(formatShare)),
  ];
  return [row];
}

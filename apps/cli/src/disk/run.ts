/** `stashlight disk ...`: measures a folder's drive in place, without a console or a database. */
import { writeFile } from "node:fs/promises";
import {
  byPlace,
  cellIops,
  type DiskCell,
  type DiskCellResult,
  mainLatency,
} from "@stashlight/contracts/disk";
import {
  capSentences,
  describeDisturbance,
  describeTooShort,
  findLimit,
  refillSentence,
} from "@stashlight/devices/findings";
import {
  checkCell,
  type DiskRun,
  estimateCells,
  inDrawnOrder,
  measureDisk,
  sweepCells,
  sweepPresets,
} from "@stashlight/disk-benchmark";
import type { Screen } from "../screen.ts";
import { renderTable } from "../table.ts";
import { counted, formatCount, formatSize, formatUs } from "../units.ts";
import type { DiskCommand } from "./arguments.ts";

export interface DiskSurroundings {
  readonly screen: Screen;
  readonly complain: (line: string) => void;
  readonly interrupted: AbortSignal;
  readonly now: () => Date;
}

const COOL_DOWN_SECONDS = 1;
const NONE = "–";

/**
 * Returns the exit code: 0, or 1 if the measurement is incomplete. Throws a DiskError if the folder may not be
 * measured.
 */
export async function runDisk(command: DiskCommand, surroundings: DiskSurroundings): Promise<number> {
  const { screen, complain, interrupted, now } = surroundings;
  const cells = listCells(command);
  const { fileBytes, writtenBytesMax, bucket } = command;
  const coolDownSeconds = checkRestSeconds(command) ?? COOL_DOWN_SECONDS;
  const estimate = estimateCells(cells, { fileBytes, coolDownSeconds });
  const writes = estimate.hasWrites
    ? `${formatSize(fileBytes)} to ${formatSize(writtenBytesMax)}`
    : formatSize(fileBytes);
  screen.say(
    `Takes at most ${counted(Math.ceil(estimate.seconds / 60), "minute")} plus the time to write a file of ${formatSize(fileBytes)}; writes ${writes} in total.`,
  );
  if (command.isEstimate) return 0;
  const run = await measureDisk({
    ...command,
    bucket,
    cells,
    coolDownSeconds,
    signal: interrupted,
    onProgress: ({ doneSeconds, writtenBytes }) => {
      const left = Math.max(0, Math.round(estimate.seconds - doneSeconds));
      screen.draw(
        doneSeconds === 0
          ? `Writing the file: ${formatSize(writtenBytes)}`
          : `At most ${left} s left, ${formatSize(writtenBytes)} written`,
      );
    },
    onCell: () => {},
  });
  if (command.output !== null) await writeFile(command.output, `${JSON.stringify(run, null, 2)}\n`);
  for (const line of runLines(run, now().toISOString().slice(0, 7))) screen.say(line);
  const refill = refillSentence(run.cells, checkRestSeconds(command));
  if (refill !== null) screen.say(refill);
  if (run.sentence !== null) complain(run.sentence);
  return run.sentence === null && run.cells.length === cells.length ? 0 : 1;
}

function listCells(command: DiskCommand): DiskCell[] {
  if (command.name === "disk-sweep")
    return inDrawnOrder(sweepCells(sweepPresets[command.preset]), command.seed);
  const cell = checkCell(command.seconds, command.queueDepth);
  return command.restSeconds === null ? [cell] : [cell, cell];
}

const checkRestSeconds = (command: DiskCommand): number | null =>
  command.name === "disk-check" ? command.restSeconds : null;

function runLines(
  { cells, device, isDirect, label, tool, toolVersion, writtenBytes }: DiskRun,
  month: string,
): string[] {
  if (cells.length === 0) return [];
  const drive = [device.name, device.model].filter((text) => text !== null).join(", ");
  const io = isDirect ? "direct I/O" : "buffered I/O";
  const modelled = label === "measured" ? "" : " Modelled: a limit of this program applied to the drive.";
  const lines = renderTable(columns, cells.toSorted((a, b) => byPlace(a.cell, b.cell)).map(cellRow));
  const found = cells.flatMap(({ perSecond }) => findLimit(perSecond.iops, month)?.sentence ?? []);
  return [
    `${drive === "" ? "A drive without kernel information" : drive}, ${io}, ${tool === "fio" ? toolVersion : "own reader and writer"}, ${formatSize(writtenBytes)} written.${modelled}`,
    ...lines,
    ...found,
    ...capSentences(cells),
    ...[describeTooShort(cells), describeDisturbance(cells, tool === "stashlight")].filter(
      (sentence) => sentence !== null,
    ),
  ];
}

const columns = [
  { title: "ACCESS" },
  { title: "OPERATION" },
  { title: "BLOCK", isRight: true },
  { title: "QUEUE", isRight: true },
  { title: "IOPS", isRight: true },
  { title: "MB/s", isRight: true },
  { title: "P50", isRight: true },
  { title: "P99", isRight: true },
  { title: "RATE" },
];

function cellRow(result: DiskCellResult): string[] {
  const { cell, steadyState } = result;
  const { access, readShare, blockBytes, queueDepth } = cell;
  const iops = cellIops(result);
  const latency = mainLatency(result);
  const operation =
    readShare === 1 ? "read" : readShare === 0 ? "write" : `${Math.round(readShare * 100)} % reads`;
  return [
    access,
    operation,
    formatSize(blockBytes),
    String(queueDepth),
    formatCount(iops),
    ((iops * blockBytes) / 1e6).toFixed(1),
    latency.p50Us === null ? NONE : formatUs(latency.p50Us),
    latency.p99Us === null ? NONE : formatUs(latency.p99Us),
    cell.roundSeconds === null ? "whole time" : steadyState?.isSteady ? "steady" : "did not settle",
  ];
}

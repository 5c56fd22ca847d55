/**
 * Compares the built-in drive reader and writer with fio, alternately on the same file system: requests per second,
 * median and p99 of random reads and writes past the page cache, with the ratio of each turn. fio has to be installed.
 * A busy machine is reported, because the result then shows how two programs share its processors.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DiskCell } from "@stashlight/contracts/disk";
import { measureDisk } from "@stashlight/disk-benchmark";
import { repositoryRoot } from "../run/environment.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./rounds.ts";

const run = promisify(execFile);

const KIB = 1_024;
const MIB = 1_048_576;
const FILE_BYTES = 512 * MIB;
const ROUNDS = 5;
const SECONDS = 4;

const cells = [4 * KIB, MIB].flatMap((blockBytes) =>
  [1, 0].flatMap((readShare) =>
    [1, 32].map(
      (queueDepth): DiskCell => ({
        access: "random",
        readShare,
        blockBytes,
        queueDepth,
        syncsWrites: false,
        secondsMax: SECONDS,
        roundSeconds: null,
      }),
    ),
  ),
);

/** Maximum load at which the processors are free for the measurement. */
const QUIET_LOAD_MAX = 1;
/** Permitted deviation of the ratio to fio from 1. */
const tolerances = { iops: 0.1, p50Us: 0.1, p99Us: 0.25 } as const;

interface Figures {
  readonly iops: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

export async function benchDisk(say: (line: string) => void): Promise<Measurement[]> {
  mkdirSync(join(repositoryRoot, "node_modules"), { recursive: true });
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-disk-"));
  const [load = 0] = loadavg();
  say(
    load < QUIET_LOAD_MAX
      ? `The machine is quiet: its load is ${load.toFixed(2)}.`
      : `The machine is not quiet: its load is ${load.toFixed(2)}, so these ratios are not a reliable comparison of the drive.`,
  );
  try {
    const measurements: Measurement[] = [];
    for (const cell of cells) measurements.push(...(await benchCell(folder, cell, say)));
    return measurements;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchCell(
  folder: string,
  cell: DiskCell,
  say: (line: string) => void,
): Promise<Measurement[]> {
  const name = `${cell.readShare === 1 ? "read" : "write"} ${cell.blockBytes / KIB} KiB, queue depth ${cell.queueDepth}`;
  const ours: Figures[] = [];
  const fios: Figures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = [
      async () => ours.push(await own(folder, cell)),
      async () => fios.push(await fio(folder, cell)),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
    say(`${name}: ours ${JSON.stringify(ours.at(-1))}, fio ${JSON.stringify(fios.at(-1))}`);
  }
  say(`${name}: ${describeRatios(ours, fios)}`);
  const figures = [
    ["requests per second", "1/s", ({ iops }: Figures) => iops],
    ["p50", "us", ({ p50Us }: Figures) => p50Us],
    ["p99", "us", ({ p99Us }: Figures) => p99Us],
  ] as const;
  return figures.map(([figure, unit, of]) => ({
    name: `${name}: ${figure}`,
    value: median(ours.map(of)),
    unit,
    against: { name: "fio's", value: median(fios.map(of)) },
  }));
}

/**
 * Compares turn by turn, because both were measured in the same minutes: the median of the ratios, and whether it is
 * near 1.
 */
function describeRatios(ours: readonly Figures[], fios: readonly Figures[]): string {
  const names = { iops: "requests per second", p50Us: "p50", p99Us: "p99" } as const;
  return (Object.keys(tolerances) as (keyof Figures)[])
    .map((figure) => {
      const ratios = ours.map((our, turn) => our[figure] / (fios[turn]?.[figure] ?? Number.NaN));
      const ratio = median(ratios);
      const verdict = Math.abs(ratio - 1) <= tolerances[figure] ? "within" : "beyond";
      const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
      return `${names[figure]} ${ratio.toFixed(2)} of fio's (${spread}), ${verdict} ${tolerances[figure] * 100} %`;
    })
    .join("; ");
}

async function own(folder: string, cell: DiskCell): Promise<Figures> {
  const { cells: results, sentence } = await measureDisk({
    place: { kind: "folder", folder },
    fileBytes: FILE_BYTES,
    isDirect: true,
    isBesideVault: true,
    cells: [cell],
    tool: "stashlight",
    coolDownSeconds: 0,
    writtenBytesMax: Number.MAX_SAFE_INTEGER,
    bucket: null,
    seed: 1,
    signal: new AbortController().signal,
    onProgress: () => {},
    onCell: () => {},
  });
  const [result] = results;
  if (result === undefined) throw new Error(sentence ?? "Nothing was measured.");
  const latency = cell.readShare === 1 ? result.read : result.write;
  return {
    iops: result.readsPerSecond + result.writesPerSecond,
    p50Us: latency.p50Us ?? Number.NaN,
    p99Us: latency.p99Us ?? Number.NaN,
  };
}

interface FioSide {
  readonly iops: number;
  readonly lat_ns: { readonly percentile: Readonly<Record<string, number>> };
}

async function fio(folder: string, { blockBytes, readShare, queueDepth }: DiskCell): Promise<Figures> {
  const { stdout } = await run("fio", [
    "--name=bench",
    `--filename=${join(folder, "fio")}`,
    `--size=${FILE_BYTES}`,
    `--rw=${readShare === 1 ? "randread" : "randwrite"}`,
    `--bs=${blockBytes}`,
    "--ioengine=libaio",
    "--direct=1",
    `--iodepth=${queueDepth}`,
    "--scramble_buffers=1",
    "--time_based",
    `--runtime=${SECONDS}`,
    // The built-in tool's times also include the submission of a request.
    "--lat_percentiles=1",
    "--percentile_list=50:99",
    "--output-format=json",
  ]);
  const { jobs } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as {
    jobs: [{ read: FioSide; write: FioSide }];
  };
  const side = readShare === 1 ? jobs[0].read : jobs[0].write;
  const percentile = (name: string): number => (side.lat_ns.percentile[name] ?? Number.NaN) / 1_000;
  return { iops: side.iops, p50Us: percentile("50.000000"), p99Us: percentile("99.000000") };
}

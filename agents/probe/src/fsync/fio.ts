/** fio, if installed: the same load, measured by a widely used tool. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { FsyncFigure, FsyncResult } from "@stashlight/contracts/probe";
import { samplesNeeded } from "@stashlight/stats/rank";
import { z } from "zod";

const run = promisify(execFile);

export interface MeasureInput {
  /** A complete, existing file. */
  readonly path: string;
  readonly fileBytes: number;
  readonly recordBytes: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export interface FsyncTool {
  readonly name: FsyncResult["tool"];
  readonly version: string;
  readonly measure: (input: MeasureInput) => Promise<FsyncFigure>;
}

const ANSWER_BYTES_MAX = 1_048_576;
const GRACE_MS = 60_000;

/** Resolves with null if fio is not installed. */
export async function findFio(command = "fio"): Promise<FsyncTool | null> {
  try {
    const { stdout } = await run(command, ["--version"], { timeout: GRACE_MS });
    const version = stdout.trim().slice(0, 60);
    return { name: "fio", version, measure: (input) => measure(command, input) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`fio is installed but does not start: ${(error as Error).message}.`);
  }
}

async function measure(command: string, input: MeasureInput): Promise<FsyncFigure> {
  const { path, fileBytes, recordBytes, seconds, signal } = input;
  const { stdout } = await run(
    command,
    [
      "--name=fsync-probe",
      `--filename=${path}`,
      `--size=${fileBytes}`,
      "--rw=write",
      `--bs=${recordBytes}`,
      "--ioengine=sync",
      "--fdatasync=1",
      "--overwrite=1",
      "--time_based",
      `--runtime=${seconds}`,
      "--percentile_list=50:99",
      "--output-format=json",
    ],
    { timeout: seconds * 1_000 + GRACE_MS, maxBuffer: ANSWER_BYTES_MAX, signal },
  );
  return readFio(stdout, recordBytes);
}

const outputSchema = z.object({
  jobs: z
    .array(
      z.object({
        job_runtime: z.number().positive(),
        sync: z.object({
          lat_ns: z.object({
            N: z.number().min(0),
            percentile: z.record(z.string(), z.number()).optional(),
          }),
        }),
      }),
    )
    .min(1),
});

/** Parses the JSON of fio 3, which times syncs apart from writes. Its own count of syncs stays 0 with some engines. */
export function readFio(text: string, recordBytes: number): FsyncFigure {
  // Notes may precede the JSON.
  const parsed = outputSchema.safeParse(JSON.parse(text.slice(Math.max(0, text.indexOf("{")))));
  const [job] = parsed.data?.jobs ?? [];
  if (job === undefined) throw new Error("This fio does not report syncs; version 3.33 does.");
  const { N: n, percentile: percentiles } = job.sync.lat_ns;
  const seconds = job.job_runtime / 1_000;
  const percentile = (name: string, perMillion: number): number | null => {
    const ns = percentiles?.[name];
    return ns === undefined || n < samplesNeeded(perMillion) ? null : ns / 1_000;
  };
  return {
    recordBytes,
    syncsPerSecond: n / seconds,
    p50Us: percentile("50.000000", 500_000),
    p99Us: percentile("99.000000", 990_000),
    n,
    seconds,
  };
}

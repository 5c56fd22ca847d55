/**
 * Runs a benchmark on a drive of this machine, and converts the measurements of packages/disk-benchmark to samples and
 * an end like any other run's.
 */

import { type DiskCell, type DiskCellResult, diskCellKey } from "@stashlight/contracts/disk";
import { type BenchmarkSample, taggedShareMax } from "@stashlight/contracts/sample";
import {
  type BucketModel,
  DiskError,
  type DiskRun,
  type DrivePlace,
  measureDisk,
} from "@stashlight/disk-benchmark";
import { inDrawnOrder } from "@stashlight/disk-benchmark/methods";
import { cellOperation } from "../methods/disk/drive-plan.ts";
import type { DriveWork, MethodPlan, MethodResult } from "../methods/method.ts";
import { type ChosenMethod, chooseDriveMethod, type MethodChoice } from "../methods/registry.ts";
import type { RunFlag } from "../run/flags.ts";
import type { RunProgress } from "../run/progress.ts";
import { hostFacts, type LibraryFacts, libraryFacts } from "../sampler/manifest.ts";
import type { RunEnd } from "../sampler/start-sampler.ts";

export interface DriveJob {
  readonly runId: string;
  /** Planned time of the slot (UTC), recorded in its samples. */
  readonly slotMs: number;
  readonly method: MethodChoice;
  readonly drive: {
    readonly name: string;
    readonly place: DrivePlace;
    /** Burst bucket that limits the drive's requests, for trials; the measurements are then labelled as modelled. */
    readonly modelledBucket: BucketModel | null;
    /** True if a stash or pod may store data on the drive, by its probe's file; the method must then permit the run. */
    readonly isBesideVault: boolean;
  };
  /** Seed of offsets, bytes and orders. */
  readonly seed: number;
}

export interface EndedCell {
  /** Index in the order of completion, from 0. */
  readonly place: number;
  /** Round, from 0; the method measures all cells once per round. */
  readonly run: number;
  readonly result: DiskCellResult;
}

export interface DriveListener {
  readonly onSample: (sample: BenchmarkSample) => void;
  readonly onProgress: (progress: RunProgress) => void;
  readonly onManifest: (manifest: DriveManifest) => void;
  readonly onCell: (cell: EndedCell) => void;
  readonly signal: AbortSignal;
}

/** Manifest of a run on a drive, stored with it as JSON so that it can be judged and repeated. */
export interface DriveManifest {
  readonly manifestVersion: 1;
  readonly runId: string;
  readonly slotMs: number;
  readonly method: ReturnType<typeof methodFacts>;
  readonly seed: number;
  readonly library: LibraryFacts;
  readonly host: ReturnType<typeof hostFacts>;
  readonly drive: { readonly name: string } & Pick<DriveWork, "fileBytes" | "isDirect" | "coolDownSeconds">;
  /** Measuring program, and the kernel's description of the drive; known once the run has ended. */
  readonly measured: Pick<DiskRun, "tool" | "toolVersion" | "label" | "device" | "writtenBytes"> | null;
}

const methodFacts = ({ method, parameters, plan }: ChosenMethod) => ({
  name: method.name,
  version: method.version,
  title: method.title,
  parameters,
  legs: plan.legs,
});

/**
 * Always resolves with the run's end, even if it fails. Throws a StashlightError if the method does not measure drives.
 */
export async function measureDrive(job: DriveJob, listener: DriveListener): Promise<RunEnd> {
  const chosen = chooseDriveMethod(job.method);
  const work = chosen.method.work(chosen.parameters);
  if (job.drive.isBesideVault && !work.isBesideVault) {
    return { ...nothing, state: "failed", sentence: BESIDE_VAULT };
  }
  const collector = new Collector(job, work, listener);
  const manifest = (measured: DriveManifest["measured"]): DriveManifest => ({
    manifestVersion: 1,
    runId: job.runId,
    slotMs: job.slotMs,
    method: methodFacts(chosen),
    seed: job.seed,
    library: libraryFacts(),
    host: hostFacts(),
    drive: {
      name: job.drive.name,
      fileBytes: work.fileBytes,
      isDirect: work.isDirect,
      coolDownSeconds: work.coolDownSeconds,
    },
    measured,
  });
  listener.onManifest(manifest(null));
  try {
    const run = await measureDisk({
      ...measureOptions(job, work, listener.signal),
      ...collector.hooks(chosen.plan),
    });
    const { tool, toolVersion, label, device, writtenBytes } = run;
    listener.onManifest(manifest({ tool, toolVersion, label, device, writtenBytes }));
    return collector.end(run, listener.signal);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return { ...nothing, state: "failed", sentence: error.message };
  }
}

const BESIDE_VAULT =
  "A stash or pod stores data on this drive, according to its probe's file, and measuring would slow it down; choose “Beside a vault” in the schedule to measure it anyway.";

function measureOptions({ drive, seed }: DriveJob, work: DriveWork, signal: AbortSignal) {
  return {
    place: drive.place,
    fileBytes: work.fileBytes,
    isDirect: work.isDirect,
    isBesideVault: work.isBesideVault && drive.isBesideVault,
    cells: runOrder(work, seed),
    tool: work.tool,
    coolDownSeconds: work.coolDownSeconds,
    writtenBytesMax: work.writtenBytesMax,
    bucket: drive.modelledBucket,
    seed,
    signal,
  };
}

function runOrder({ cells, runCount, isDrawn }: DriveWork, seed: number): DiskCell[] {
  return Array.from({ length: runCount }, (_, run) =>
    isDrawn ? inDrawnOrder(cells, (seed + run) >>> 0) : cells,
  ).flat();
}

const nothing: Omit<RunEnd, "state" | "sentence"> = {
  manifest: null,
  sampleCount: 0,
  failureCount: 0,
  taggedCount: 0,
  taggedShare: null,
  isContaminated: false,
  flags: [],
  results: [],
  stages: [],
  storedCheck: null,
  openedConnectionCount: null,
  cpu: null,
};

/** Turns finished cells into samples: one per second, with the mean duration of its requests. */
class Collector {
  readonly #job: DriveJob;
  readonly #work: DriveWork;
  readonly #listener: DriveListener;
  readonly #places: ReadonlyMap<string, number>;
  #sampleCount = 0;
  #failureCount = 0;
  #taggedCount = 0;
  #cellCount = 0;

  constructor(job: DriveJob, work: DriveWork, listener: DriveListener) {
    this.#job = job;
    this.#work = work;
    this.#listener = listener;
    this.#places = new Map(work.cells.map((cell, leg) => [diskCellKey(cell), leg]));
  }

  hooks({ estimate }: MethodPlan) {
    const cellCount = this.#work.cells.length * this.#work.runCount;
    return {
      onProgress: ({ doneSeconds, writtenBytes }: { doneSeconds: number; writtenBytes: number }): void => {
        const written = `${(writtenBytes / 1e9).toFixed(1)} GB written`;
        this.#listener.onProgress({
          share: Math.min(1, doneSeconds / estimate.seconds),
          text:
            doneSeconds === 0
              ? `Writing the test file: ${written}`
              : `Cell ${Math.min(cellCount, this.#cellCount + 1)} of ${cellCount}, ${written}`,
          leftMs: Math.max(0, estimate.seconds - doneSeconds) * 1_000,
        });
      },
      onCell: (result: DiskCellResult): void => {
        this.#tellSamples(result);
        const run = Math.floor(this.#cellCount / this.#work.cells.length);
        this.#listener.onCell({ place: this.#cellCount, run, result });
        this.#cellCount += 1;
      },
    };
  }

  #tellSamples({ cell, perSecond, seconds }: DiskCellResult): void {
    const beganMs = Date.now() - seconds * 1_000;
    for (const [second, iops] of perSecond.iops.entries()) {
      const isStalled = iops === 0;
      const isTagged = (perSecond.waitedShare?.[second] ?? 0) > taggedShareMax;
      if (isTagged) this.#taggedCount += 1;
      const wireMs = isStalled ? 1_000 : (perSecond.meanUs[second] as number) / 1_000;
      if (isStalled) this.#failureCount += 1;
      this.#listener.onSample({
        slotMs: this.#job.slotMs,
        index: this.#sampleCount,
        leg: this.#places.get(diskCellKey(cell)) as number,
        operation: cellOperation(cell),
        outcome: isStalled ? "timed-out" : "ok",
        ...(isStalled ? { errorCode: "no request ended in this second" } : {}),
        sizeBytes: cell.blockBytes,
        transferredBytes: Math.round(iops) * cell.blockBytes,
        startedAtMs: beganMs + second * 1_000,
        wireMs,
        perceivedMs: wireMs,
        attempts: 1,
        phases: {},
        isCold: false,
        isTagged,
      });
      this.#sampleCount += 1;
    }
  }

  end(run: DiskRun, signal: AbortSignal): RunEnd {
    const wanted = this.#work.cells.length * this.#work.runCount;
    const isWhole = run.sentence === null && run.cells.length === wanted;
    const limit = `The limit of ${this.#work.writtenBytesMax} written bytes was reached after ${run.cells.length} of ${wanted} cells.`;
    return {
      ...nothing,
      state: signal.aborted ? "cancelled" : isWhole ? "succeeded" : "failed",
      sentence: signal.aborted ? "The run was cancelled." : isWhole ? null : (run.sentence ?? limit),
      sampleCount: this.#sampleCount,
      failureCount: this.#failureCount,
      ...this.#disturbance(),
      flags: [...driveRunFlags(run.cells), ...this.#contamination()],
      results: driveResults(run),
    };
  }

  #disturbance(): Pick<RunEnd, "taggedCount" | "taggedShare" | "isContaminated"> {
    const taggedShare = this.#sampleCount === 0 ? null : this.#taggedCount / this.#sampleCount;
    return {
      taggedCount: this.#taggedCount,
      taggedShare,
      isContaminated: (taggedShare ?? 0) > taggedShareMax,
    };
  }

  #contamination(): RunFlag[] {
    if (!this.#disturbance().isContaminated) return [];
    return [
      {
        name: "contaminated",
        sentence: `In ${this.#taggedCount} of ${this.#sampleCount} seconds requests waited for a processor for more than ${taggedShareMax * 100} % of their time: the figures may be those of this machine and not of the drive.`,
      },
    ];
  }
}

function driveRunFlags(cells: readonly DiskCellResult[]): RunFlag[] {
  const judged = cells.filter(({ cell }) => cell.roundSeconds !== null);
  const unsettled = judged.filter(({ steadyState }) => steadyState?.isSteady !== true);
  if (unsettled.length === 0) return [];
  return [
    {
      name: "unsettled",
      sentence: `${unsettled.length} of ${judged.length} cells did not settle: within their time limit, no five consecutive rounds agreed, so a longer run may give another rate.`,
    },
  ];
}

const driveResults = ({ writtenBytes }: DiskRun): MethodResult[] => [
  {
    name: "writtenBytes",
    value: writtenBytes,
    unit: "B",
    label: "Written to the drive, including the test file",
    isExtrapolated: false,
  },
];

/** Runs a slot on this machine: its runs one after another, reported once per second, with a clean-up afterwards. */
import { setTimeout as delay } from "node:timers/promises";
import {
  buildRunPrefix,
  type cleanUp,
  pinTarget,
  type RunEnd,
  type RunManifest,
  type RunProgress,
  type startSampler,
} from "@stashlight/benchmark";
import type { DriveManifest, EndedCell, measureDrive } from "@stashlight/benchmark/drive";
import { StashlightError } from "@stashlight/contracts/errors";
import {
  type ProbeDriveRun,
  type ProbeReport,
  type ProbeRun,
  type ProbeRunEnd,
  type ProbeSlot,
  type ProbeStoreRun,
  probeReportCellsMax,
  probeReportSamplesMax,
} from "@stashlight/contracts/probe/job";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { pinDestination } from "@stashlight/outbound";
import type { OfferedDrive } from "./drives/drives.ts";
import type { Outbox } from "./outbox.ts";

export interface SlotOptions {
  readonly outbox: Outbox;
  readonly allowedNetworks: readonly string[];
  readonly startSampler: typeof startSampler;
  readonly measureDrive: typeof measureDrive;
  /** Drives that a run may measure. */
  readonly drives: readonly OfferedDrive[];
  readonly cleanUp: typeof cleanUp;
  readonly beatMs: number;
  /** Aborted when the process is stopping. */
  readonly stopping: AbortSignal;
}

export async function runSlot(slot: ProbeSlot, options: SlotOptions): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, options.stopping]);
  for (const run of slot.runs) {
    if (signal.aborted) break;
    await measure(slot, run, options, ending, signal);
    await cleanAfter(run, options);
  }
  await options.outbox.add({ ...slotIdentity(slot), run: null, isOver: true });
  await options.outbox.deliver();
}

const slotIdentity = ({ scheduleId, plannedAtMs, attempt }: ProbeSlot) =>
  ({ type: "slot", scheduleId, plannedAtMs, attempt }) as const;

interface Unreported {
  samples: BenchmarkSample[];
  progress: RunProgress | null;
  manifest: RunManifest | DriveManifest | null;
  cells: EndedCell[];
}

async function measure(
  slot: ProbeSlot,
  run: ProbeRun,
  options: SlotOptions,
  ending: AbortController,
  signal: AbortSignal,
): Promise<void> {
  const unreported: Unreported = { samples: [], progress: null, manifest: null, cells: [] };
  let part = 0;
  const report = async (end: ProbeRunEnd | null): Promise<void> => {
    do {
      const { progress, manifest } = unreported;
      const samples = unreported.samples.splice(0, probeReportSamplesMax);
      const cells = unreported.cells.splice(0, probeReportCellsMax);
      const isLast = unreported.samples.length === 0 && unreported.cells.length === 0;
      const ofRun = { runId: run.runId, part, samples, progress, cells, end: isLast ? end : null };
      await options.outbox.add(slotReport(slot, ofRun, manifest));
      Object.assign(unreported, { progress: null, manifest: null });
      part += 1;
    } while (unreported.samples.length > 0 || unreported.cells.length > 0);
    const delivered = await options.outbox.deliver();
    if (delivered.type === "empty" && (delivered.isCancelled || delivered.isOver)) ending.abort();
  };
  const isOver = new AbortController();
  const beats = beat(options.beatMs, isOver.signal, () => report(null));
  const end = await sample(slot, run, options, unreported, signal);
  isOver.abort();
  await beats;
  await report(end);
}

function slotReport(
  slot: ProbeSlot,
  run: Omit<NonNullable<Extract<ProbeReport, { type: "slot" }>["run"]>, "manifest">,
  manifest: RunManifest | DriveManifest | null,
): ProbeReport {
  const json = manifest === null ? null : (JSON.parse(JSON.stringify(manifest)) as Record<string, unknown>);
  return { ...slotIdentity(slot), run: { ...run, manifest: json }, isOver: false };
}

async function beat(everyMs: number, isOver: AbortSignal, action: () => Promise<void>): Promise<void> {
  while (!isOver.aborted) {
    try {
      await delay(everyMs, undefined, { signal: isOver });
    } catch {
      return;
    }
    await action();
  }
}

async function sample(
  slot: ProbeSlot,
  run: ProbeRun,
  options: SlotOptions,
  unreported: Unreported,
  signal: AbortSignal,
): Promise<ProbeRunEnd> {
  return "drive" in run
    ? sampleDrive(slot, run, options, unreported, signal)
    : sampleStore(slot, run, options, unreported, signal);
}

async function sampleDrive(
  { plannedAtMs: slotMs, method }: ProbeSlot,
  { runId, drive: { name, node, device }, seed }: ProbeDriveRun,
  { drives, measureDrive }: SlotOptions,
  unreported: Unreported,
  signal: AbortSignal,
): Promise<ProbeRunEnd> {
  const found = drives.find((each) => each.node === node && each.device === device);
  if (found === undefined || found.benchmark === null) {
    const sentence = `The drives file of this probe no longer offers ${device} of ${node} to plans.`;
    return { ...nothingMeasured, state: "failed", sentence };
  }
  const { besideVault: isBesideVault, modelledBucket } = found.benchmark;
  const drive = { name, place: found.place, modelledBucket, isBesideVault };
  try {
    const end = await measureDrive(
      { runId, slotMs, method, drive, seed },
      {
        onSample: (taken) => unreported.samples.push(taken),
        onProgress: (progress) => Object.assign(unreported, { progress }),
        onManifest: (manifest) => Object.assign(unreported, { manifest }),
        onCell: (cell) => unreported.cells.push(cell),
        signal,
      },
    );
    return toProbeRunEnd(end);
  } catch (error) {
    if (!(error instanceof StashlightError)) throw error;
    return { ...nothingMeasured, state: "failed", sentence: error.message };
  }
}

async function sampleStore(
  { plannedAtMs: slotMs, method }: ProbeSlot,
  { runId, endpoint, credentials, seed }: ProbeStoreRun,
  { allowedNetworks, startSampler }: SlotOptions,
  unreported: Unreported,
  signal: AbortSignal,
): Promise<ProbeRunEnd> {
  try {
    const target = await pinHere(endpoint, credentials, allowedNetworks);
    const job = { runId, slotMs, method, endpoint: target, credentials, seed };
    const end = await startSampler(job, {
      onSample: (taken) => unreported.samples.push(taken),
      onProgress: (progress) => Object.assign(unreported, { progress }),
      onManifest: (manifest) => Object.assign(unreported, { manifest }),
      signal,
    });
    return toProbeRunEnd(end);
  } catch (error) {
    if (!(error instanceof StashlightError)) throw error;
    return { ...nothingMeasured, state: "failed", sentence: error.message };
  }
}

/** Resolves names and checks addresses at the probe's location. */
const pinHere = (
  endpoint: ProbeStoreRun["endpoint"],
  credentials: ProbeStoreRun["credentials"],
  allowedNetworks: readonly string[],
) =>
  pinTarget(endpoint, credentials, async (hostname) => {
    const { address } = await pinDestination(hostname, allowedNetworks);
    return address;
  });

const nothingMeasured = {
  sampleCount: 0,
  failureCount: 0,
  isContaminated: false,
  flags: [],
  results: [],
  stages: [],
  openedConnectionCount: null,
  cpu: null,
};

function toProbeRunEnd(end: RunEnd): ProbeRunEnd {
  const { state, sentence, sampleCount, failureCount, isContaminated, openedConnectionCount, cpu } = end;
  const flags = end.flags.map((flag) => ({ ...flag }));
  const results = end.results.map((result) => ({ ...result }));
  const counts = { sampleCount, failureCount, isContaminated, openedConnectionCount, cpu };
  return { state, sentence, ...counts, flags, results, stages: [...end.stages] };
}

/** The ingest reissues the remaining runs after a restart. */
async function cleanAfter(run: ProbeRun, options: SlotOptions): Promise<void> {
  // A drive measurement removes its own file.
  if (options.stopping.aborted || "drive" in run) return;
  const { runId, endpoint, credentials } = run;
  const runPrefix = buildRunPrefix(endpoint.prefix, runId);
  await cleanOne({ runId, runPrefix, endpoint, credentials }, options);
}

export async function cleanOne(
  { runId, runPrefix, endpoint, credentials }: Omit<ProbeStoreRun, "seed"> & { readonly runPrefix: string },
  { allowedNetworks, cleanUp, outbox, stopping }: SlotOptions,
): Promise<void> {
  let error: string | null = null;
  try {
    const target = await pinHere(endpoint, credentials, allowedNetworks);
    await cleanUp({ endpoint: target, credentials, runPrefix, signal: stopping });
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  await outbox.add({ type: "cleaned", runId, error });
}

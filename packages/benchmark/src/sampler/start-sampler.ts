/**
 * Runs a method in a separate process, so that other work of this process is not measured. Deletes nothing: everything
 * that a run wrote is below its prefix, and `cleanUp` removes it after a crash as well as after a success.
 */
import { type ChildProcess, fork } from "node:child_process";
import { StashlightError } from "@stashlight/contracts/errors";
import { compileCacheEnvironment, resolveEntry } from "@stashlight/contracts/process";
import { type BenchmarkSample, type BenchmarkStage, taggedShareMax } from "@stashlight/contracts/sample";
import type { Leg, MethodResult } from "../methods/method.ts";
import { chooseStoreMethod } from "../methods/registry.ts";
import { findFlags, type JudgedSample, type RunFlag } from "../run/flags.ts";
import type { RunProgress } from "../run/progress.ts";
import type { StoredCheck } from "../run/stored-objects.ts";
import { type SamplerJob, type SamplerJobInput, samplerJobSchema } from "./job.ts";
import type { RunManifest } from "./manifest.ts";
import type { FromSampler, ToSampler } from "./messages.ts";
import type { JobEnd } from "./run-job.ts";

export interface SamplerOptions {
  /** Called with each sample in the order of completion, shortly after it was taken. */
  readonly onSample?: (sample: BenchmarkSample) => void;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Called as soon as the endpoint has answered, so that the manifest can be stored with a run that is lost later. */
  readonly onManifest?: (manifest: RunManifest) => void;
  /** When aborted, the current operation is cancelled, and the end is "cancelled". */
  readonly signal?: AbortSignal;
  /** Called with the process's id once it exists. */
  readonly onSpawn?: (pid: number) => void;
}

export interface RunEnd {
  /** `interrupted`: the process was lost; the samples until then have been passed on. */
  readonly state: "succeeded" | "failed" | "cancelled" | "interrupted";
  /** Reason for the failure; null on success. */
  readonly sentence: string | null;
  /** Null if the run ended before the endpoint had answered. */
  readonly manifest: RunManifest | null;
  readonly sampleCount: number;
  readonly failureCount: number;
  readonly taggedCount: number;
  /** Null without samples. */
  readonly taggedShare: number | null;
  readonly isContaminated: boolean;
  readonly flags: readonly RunFlag[];
  /** Figures that are not samples, such as the time of a whole backup. */
  readonly results: readonly MethodResult[];
  /** Consecutive parts of the run, reported one by one; empty for methods without stages. */
  readonly stages: readonly BenchmarkStage[];
  readonly storedCheck: StoredCheck | null;
  readonly openedConnectionCount: number | null;
  readonly cpu: { readonly userMs: number; readonly systemMs: number } | null;
}

/** Time after which a process that has not ended is killed. */
const CANCELLED_WITHIN_MS = 10_000;
const MEBIBYTES_OF_YOUNG_OBJECTS = 32;

/**
 * Always resolves with the run's end, even if it fails. Throws a StashlightError at once if the job is invalid, and
 * rejects with errors that `onSample` or another listener throws.
 */
export async function startSampler(input: SamplerJobInput, options: SamplerOptions = {}): Promise<RunEnd> {
  const job = parseJob(input);
  const { parameters, plan } = chooseStoreMethod(job.method);
  const judged: JudgedSample[] = [];
  let manifest: RunManifest | null = null;
  const { end, death } = await runChild(job, options, (message) => {
    if (message.type === "manifest") {
      manifest = message.manifest;
      options.onManifest?.(manifest);
    } else if (message.type === "samples") {
      for (const sample of message.samples) {
        judged.push(toJudged(sample));
        options.onSample?.(sample);
      }
      options.onProgress?.(message.progress);
    }
  });
  return toRunEnd({ end, death, manifest, judged, parameters, legs: plan.legs });
}

function parseJob(input: SamplerJobInput): SamplerJob {
  const parsed = samplerJobSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join(".") || "job";
  throw new StashlightError("invalid_input", `The benchmark's ${where}: ${issue?.message}`, { field: where });
}

function toJudged(sample: BenchmarkSample): JudgedSample {
  const { operation, sizeBytes, leg, outcome, wireMs, intendedDelayMs } = sample;
  const { isCold, isTagged, achievedPauseMs, connection } = sample;
  const when = { wireMs, intendedDelayMs, achievedPauseMs };
  return { operation, sizeBytes, leg, outcome, ...when, isCold, isTagged, connection };
}

interface ChildEnd {
  readonly end: JobEnd | null;
  /** Describes the exit of a process that ended without a message. */
  readonly death: string | null;
}

function spawnChild(): ChildProcess {
  const { file, args } = resolveEntry("sampler", new URL("./child.ts", import.meta.url));
  return fork(file, args, {
    // No secret is in the arguments or the environment, which other users of this machine can read.
    env: compileCacheEnvironment() as NodeJS.ProcessEnv,
    execArgv: [
      "--expose-gc",
      `--max-semi-space-size=${MEBIBYTES_OF_YOUNG_OBJECTS}`,
      "--disable-warning=ExperimentalWarning",
    ],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

function runChild(
  job: SamplerJob,
  { signal, onSpawn }: SamplerOptions,
  onMessage: (message: FromSampler) => void,
): Promise<ChildEnd> {
  if (signal?.aborted) return Promise.resolve({ end: null, death: null });
  return new Promise((resolve, reject) => {
    const child = spawnChild();
    let end: JobEnd | null = null;
    let thrown: { readonly error: unknown } | null = null;
    let killing: NodeJS.Timeout | undefined;
    const send = (message: ToSampler): void => {
      if (child.connected) child.send(message, () => {});
    };
    const cancel = (): void => {
      send({ type: "cancel" });
      killing ??= setTimeout(() => child.kill("SIGKILL"), CANCELLED_WITHIN_MS);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    child.once("spawn", () => onSpawn?.(child.pid as number));
    child.on("message", (message: FromSampler) => {
      try {
        if (message.type === "ready") send({ type: "run", job });
        else if (message.type === "end") end = message.end;
        else onMessage(message);
      } catch (error) {
        thrown ??= { error };
        cancel();
      }
    });
    child.once("error", (error) => {
      thrown ??= { error };
    });
    child.once("close", (code, killedBy) => {
      clearTimeout(killing);
      signal?.removeEventListener("abort", cancel);
      if (thrown !== null) reject(thrown.error);
      else if (end !== null || signal?.aborted) resolve({ end, death: null });
      else resolve({ end, death: killedBy ?? `exit code ${code}` });
    });
  });
}

interface EndParts extends ChildEnd {
  readonly manifest: RunManifest | null;
  readonly judged: readonly JudgedSample[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly legs: readonly Leg[];
}

function toRunEnd({ end, death, manifest, judged, parameters, legs }: EndParts): RunEnd {
  const taggedCount = judged.filter(({ isTagged }) => isTagged).length;
  const taggedShare = judged.length === 0 ? null : taggedCount / judged.length;
  const isClosed = parameters.mode !== "constant-rate";
  const flags = findFlags({
    samples: judged,
    connectionCounts: legs.map(({ connectionCount }) => connectionCount),
    pauseMs: isClosed && typeof parameters.pauseMs === "number" ? parameters.pauseMs : null,
    uncheckedEtagCount: end?.uncheckedEtagCount ?? 0,
    storedFailures: end?.storedCheck?.failures ?? [],
    clockOffsetMs: manifest?.clock.check?.offsetMs ?? null,
  });
  return {
    ...runEndState(end, death),
    manifest,
    sampleCount: judged.length,
    failureCount: judged.filter(({ outcome }) => outcome !== "ok").length,
    taggedCount,
    taggedShare,
    isContaminated: (taggedShare ?? 0) > taggedShareMax,
    flags,
    results: end?.results ?? [],
    stages: end?.stages ?? [],
    storedCheck: end?.storedCheck ?? null,
    openedConnectionCount: end?.openedConnectionCount ?? null,
    cpu: end?.cpu ?? null,
  };
}

function runEndState(end: JobEnd | null, death: string | null): Pick<RunEnd, "state" | "sentence"> {
  if (end !== null) return { state: end.state, sentence: end.sentence };
  if (death === null) return { state: "cancelled", sentence: "The run was cancelled." };
  return {
    state: "interrupted",
    sentence: `The measuring process was lost (${death}); its measurements until then are kept.`,
  };
}

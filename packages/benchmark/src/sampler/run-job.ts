/** Carries out a run from start to end, in the measuring process. */
import type { BenchmarkSample, BenchmarkStage } from "@stashlight/contracts/sample";
import { explainFailure } from "../endpoint/explain-failure.ts";
import type { MethodResult } from "../methods/method.ts";
import { chooseStoreMethod } from "../methods/registry.ts";
import { buildRunPrefix } from "../run/keys.ts";
import type { RunProgress } from "../run/progress.ts";
import { Session } from "../run/session.ts";
import type { StoredCheck } from "../run/stored-objects.ts";
import type { SamplerJob } from "./job.ts";
import { createManifest, type RunManifest } from "./manifest.ts";

/** Results that the measuring process has at the end; its caller has the samples. */
export interface JobEnd {
  readonly state: "succeeded" | "failed" | "cancelled";
  /** Reason for the failure; null on success. */
  readonly sentence: string | null;
  readonly results: readonly MethodResult[];
  /** Stages that ended, even if the run failed later. */
  readonly stages: readonly BenchmarkStage[];
  readonly storedCheck: StoredCheck | null;
  readonly uncheckedEtagCount: number;
  readonly warmUpCount: number;
  /** TCP connections opened for requests. */
  readonly openedConnectionCount: number;
  /** Processor time of this process since the first timed operation. */
  readonly cpu: { readonly userMs: number; readonly systemMs: number };
}

export interface JobListener {
  readonly onManifest: (manifest: RunManifest) => void;
  /** Samples are sent in batches, so that sending takes little time away from measuring. */
  readonly onSamples: (samples: readonly BenchmarkSample[], progress: RunProgress) => void;
}

/** Minimum interval between reports, which are sent in the pause after a sample. */
const TELL_AFTER_MS = 100;
/** Interval at which earlier samples are reported while one operation takes long. */
const TELL_EVERY_MS = 500;
const TOLD_TOGETHER_MAX = 500;

export async function runJob(job: SamplerJob, listener: JobListener, signal: AbortSignal): Promise<JobEnd> {
  const chosen = chooseStoreMethod(job.method);
  const { method, parameters } = chosen;
  const runPrefix = buildRunPrefix(job.endpoint.prefix, job.runId);
  const session = new Session({
    target: job.endpoint,
    credentials: job.credentials,
    runPrefix,
    slotMs: job.slotMs,
    seed: job.seed,
    nowMs: Date.now,
    onSample: (sample) => {
      samples.push(sample);
      const isDue = performance.now() - toldAt >= TELL_AFTER_MS || samples.length >= TOLD_TOGETHER_MAX;
      if (isDue) report();
    },
  });
  let samples: BenchmarkSample[] = [];
  let toldAt = 0;
  const report = (): void => {
    if (samples.length > 0) listener.onSamples(samples, session.progress.now);
    samples = [];
    toldAt = performance.now();
  };
  const telling = setInterval(() => {
    session.releaseSettled();
    if (performance.now() - toldAt >= TELL_EVERY_MS) report();
  }, TELL_EVERY_MS);
  const end = async (
    state: JobEnd["state"],
    sentence: string | null,
    results: readonly MethodResult[],
  ): Promise<JobEnd> => {
    clearInterval(telling);
    await session.end();
    report();
    const { stages, storedCheck, uncheckedEtagCount, warmUpCount, openedConnectionCount, cpu } = session;
    return {
      state,
      sentence,
      results,
      stages,
      storedCheck,
      uncheckedEtagCount,
      warmUpCount,
      openedConnectionCount,
      cpu,
    };
  };
  try {
    if (method.usesStore) await session.greet(signal);
    listener.onManifest(createManifest(job, chosen, session, runPrefix));
    return await end("succeeded", null, await method.run(session, parameters, signal));
  } catch (error) {
    if (signal.aborted) return await end("cancelled", "The run was cancelled.", []);
    return await end("failed", explainFailure(error, job.endpoint), []);
  }
}

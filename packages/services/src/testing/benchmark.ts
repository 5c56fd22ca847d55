/** Helpers for benchmark tests: endpoints, plans, and a runner with prescribed measurements. */
import type { RunEnd, SamplerJobInput, SamplerOptions } from "@stashlight/benchmark";
import type { PriceList, StoreKind } from "@stashlight/contracts/endpoint";
import type { BenchmarkSample, BenchmarkStage } from "@stashlight/contracts/sample";
import { bulkConnection } from "@stashlight/db";
import { prepareGroups, writeGroups } from "../benchmark/groups.ts";
import type { Runner } from "../benchmark/slot/runner.ts";
import { sealSecretAccessKey } from "../endpoint/credentials.ts";
import { newId } from "../ids.ts";
import type { Platform } from "../platform.ts";
import { toStatements } from "../statements.ts";

const testSecretAccessKey = "a secret access key of the tests";

export interface TestEndpointOptions {
  name: string;
  kind?: StoreKind;
  url?: string;
  bucket?: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  priceList?: PriceList;
  builtInKey?: string;
}

/** An address reserved for documentation, so nothing answers there. */
const placeholder = { url: "https://203.0.113.7", network: "203.0.113.7/32" };

/** Creates an endpoint at an allowed address to which nothing is sent, unless another address is given. */
export async function createTestEndpoint(platform: Platform, options: TestEndpointOptions): Promise<string> {
  const id = newId();
  const now = platform.now();
  const { name, priceList, builtInKey = null } = options;
  if (options.url === undefined) {
    await platform.db.outboundNetwork.createMany({
      data: [{ cidr: placeholder.network, createdByName: "Tests", createdAt: now }],
      skipDuplicates: true,
    });
  }
  await platform.db.endpoint.create({
    data: {
      id,
      name,
      builtInKey,
      kind: options.kind ?? "s3-compatible",
      url: options.url ?? placeholder.url,
      region: "us-east-1",
      // Endpoints of tests are separate stores, unless one store is named.
      bucket: options.bucket ?? (options.url === undefined ? `benchmarks-${id.slice(-6)}` : "benchmarks"),
      prefix: "",
      addressing: "path",
      caPem: "",
      accessKeyId: options.accessKeyId ?? "AKIAIOSFODNN7EXAMPLE",
      ...sealSecretAccessKey(platform.options.secret, id, options.secretAccessKey ?? testSecretAccessKey),
      ...(priceList === undefined ? {} : { priceList: { ...priceList } }),
      createdAt: now,
      updatedAt: now,
    },
  });
  return id;
}

export function testSample(changes: Partial<BenchmarkSample> = {}): BenchmarkSample {
  const wireMs = changes.wireMs ?? 10;
  return {
    index: 0,
    leg: 0,
    operation: "PUT",
    outcome: "ok",
    sizeBytes: 256_000,
    transferredBytes: 256_000,
    startedAtMs: 1_795_258_800_000,
    wireMs,
    perceivedMs: wireMs,
    attempts: 1,
    phases: { writtenMs: wireMs / 4, headersMs: wireMs * 0.9, bodyMs: wireMs / 10 },
    isCold: false,
    isTagged: false,
    ...changes,
  };
}

export function testStage(changes: Partial<BenchmarkStage> = {}): BenchmarkStage {
  return {
    name: "full",
    title: "Full backup",
    legs: [0],
    durationMs: 1000,
    dataBytes: 1_000_000,
    uploadedBytes: 1_000_000,
    downloadedBytes: 0,
    requests: { put: 4, get: 0, delete: 0 },
    failedCount: 0,
    failure: null,
    machines: [],
    extrapolation: { protectedBytes: 1e12, seconds: 1e6, windowSeconds: 28_800 },
    ...changes,
  };
}

/** A run given to the runner; the test chooses its measurements and outcome. */
export interface FakeRun {
  job: SamplerJobInput;
  measure(samples: readonly BenchmarkSample[]): void;
  progress(share: number, text: string): void;
  end(changes?: Partial<RunEnd>): void;
  fail(error: unknown): void;
}

export interface FakeRunner extends Runner {
  /** Resolves with the next run that begins. */
  next(): Promise<FakeRun>;
  /** Names of the endpoints for which a slot waited. */
  awaited: string[];
  /** Prefixes that were cleaned, in order. */
  cleaned: string[];
  /** Error of clean-ups; null if they succeed. */
  cleaningFails: Error | null;
}

export function createFakeRunner(): FakeRunner {
  const waiting: ((run: FakeRun) => void)[] = [];
  const begun: FakeRun[] = [];
  const announce = (run: FakeRun) => {
    const taker = waiting.shift();
    if (taker === undefined) begun.push(run);
    else taker(run);
  };
  const runner: FakeRunner = {
    awaited: [],
    cleaned: [],
    cleaningFails: null,
    next: () => {
      const run = begun.shift();
      if (run !== undefined) return Promise.resolve(run);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    waitForAnswer: async ({ endpoint }) => {
      runner.awaited.push(endpoint.name);
      return true;
    },
    run: (job, options) => fakeRun(job, options, announce),
    cleanUp: async ({ runPrefix }) => {
      if (runner.cleaningFails !== null) throw runner.cleaningFails;
      runner.cleaned.push(runPrefix);
    },
  };
  return runner;
}

function fakeRun(
  job: SamplerJobInput,
  { onSample, onProgress, signal }: SamplerOptions,
  announce: (run: FakeRun) => void,
): Promise<RunEnd> {
  const taken: BenchmarkSample[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<RunEnd>();
  const end = (changes: Partial<RunEnd> = {}) => resolve(fakeEnd(taken, changes));
  signal?.addEventListener("abort", () => end({ state: "cancelled", sentence: "The run was cancelled." }));
  announce({
    job,
    measure: (samples) => {
      for (const sample of samples) {
        taken.push(sample);
        onSample?.(sample);
      }
    },
    progress: (share, text) => onProgress?.({ share, text, leftMs: 1000 }),
    end,
    fail: reject,
  });
  return promise;
}

function fakeEnd(samples: readonly BenchmarkSample[], changes: Partial<RunEnd>): RunEnd {
  const taggedCount = samples.filter(({ isTagged }) => isTagged).length;
  return {
    state: "succeeded",
    sentence: null,
    manifest: null,
    sampleCount: samples.length,
    failureCount: samples.filter(({ outcome }) => outcome !== "ok").length,
    taggedCount,
    taggedShare: samples.length === 0 ? null : taggedCount / samples.length,
    isContaminated: false,
    flags: [],
    results: [],
    stages: [],
    storedCheck: null,
    openedConnectionCount: 1,
    cpu: null,
    ...changes,
  };
}

interface RunOfSamples {
  planId: string | null;
  endpoint: { id: string; name: string };
  slotAt: Date;
  samples: readonly BenchmarkSample[];
  attempt?: number;
  state?: string;
}

export interface SeededRun extends Omit<RunOfSamples, "samples"> {
  /** Durations of a PUT of 256 kB, in milliseconds. */
  wireMs: readonly number[];
  /** Indexes in `wireMs` that failed. */
  failedAt?: readonly number[];
  /** Samples during which the client was disturbed. */
  taggedAt?: readonly number[];
}

export function seedBenchmarkRun(
  platform: Platform,
  { wireMs, failedAt = [], taggedAt = [], ...run }: SeededRun,
): Promise<string> {
  const samples = wireMs.map((ms, index) =>
    testSample({
      index,
      wireMs: ms,
      startedAtMs: run.slotAt.getTime() + index * 100,
      isTagged: taggedAt.includes(index),
      ...(failedAt.includes(index) ? failedSample : {}),
    }),
  );
  return seedRunOfSamples(platform, { ...run, samples });
}

export const failedSample = { outcome: "failed", errorCode: "SlowDown", httpStatus: 503 } as const;

/** A finished run, with its figures and samples, as an execution leaves it. */
export async function seedRunOfSamples(platform: Platform, run: RunOfSamples): Promise<string> {
  const { planId, endpoint, slotAt, samples, attempt = 1, state = "succeeded" } = run;
  const id = newId();
  const taggedCount = samples.filter(({ isTagged }) => isTagged).length;
  await platform.db.$transaction(async (tx) => {
    await tx.benchmarkRun.create({
      data: {
        id,
        planId,
        endpointId: endpoint.id,
        endpointName: endpoint.name,
        vantageName: "This worker",
        method: { name: "small-uploads", parameters: { pauseMs: 10 } },
        slotAt,
        attempt,
        state,
        position: 0,
        startedAt: slotAt,
        finishedAt: slotAt,
        progress: 1,
        sampleCount: samples.length,
        failureCount: samples.filter(({ outcome }) => outcome !== "ok").length,
        taggedShare: taggedCount / samples.length,
        label: "measured",
        createdAt: slotAt,
      },
    });
    const groups = prepareGroups([...samples], () => 1);
    await writeGroups(
      toStatements(await bulkConnection(platform.db, tx)),
      { id, planId, endpointId: endpoint.id, slotAt },
      groups,
    );
  });
  return id;
}

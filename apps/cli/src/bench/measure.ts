/** Measures endpoints in slots, each once per slot in random order, and removes the objects written. */
import { randomInt, randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import {
  buildRunPrefix,
  chooseStoreMethod,
  cleanUp,
  type MethodChoice,
  type MethodPlan,
  pinTarget,
  type RunEnd,
  startSampler,
} from "@stashlight/benchmark";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { createUniform, shuffled } from "@stashlight/stats/random";
import type { Screen } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import type { BenchEndpoint } from "./endpoint-file.ts";
import { listConnections } from "./leg-loads.ts";
import { SampleFile } from "./sample-file.ts";

export interface MeasuredRun {
  readonly endpoint: string;
  readonly slot: number;
  /** Runs with the same time belong to one slot and form a pair. */
  readonly slotMs: number;
  readonly runId: string;
  readonly samples: readonly BenchmarkSample[];
  readonly end: RunEnd;
  /** Reason that objects could not be removed; null on success. */
  readonly leftover: string | null;
  /** Reason that the file is incomplete; null on success, or if no file was requested. */
  readonly fileProblem: string | null;
}

export interface MeasureOptions {
  readonly endpoints: readonly BenchEndpoint[];
  readonly method: MethodChoice;
  readonly slotCount: number;
  readonly seed: number;
  /** Folder for files of runs; null for none. */
  readonly output: string | null;
  readonly legs: MethodPlan["legs"];
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Stops between two runs when the signal is aborted, and keeps the current run up to that point. */
export async function measureAll(options: MeasureOptions): Promise<MeasuredRun[]> {
  const { endpoints, slotCount, seed, signal } = options;
  const random = createUniform(seed);
  const runs: MeasuredRun[] = [];
  const fileNames = new Set<string>();
  let slotMs = 0;
  let order: typeof endpoints = [];
  for (let slot = 0; slot < slotCount; slot += 1) {
    slotMs = Math.max(slotMs + 1, Date.now());
    // Every second slot reverses the order, so that being first favours no endpoint.
    order = slot % 2 === 0 ? shuffled(endpoints, random) : order.toReversed();
    for (const endpoint of order) {
      if (signal.aborted) return runs;
      const file = createFile(endpoint.place.name, { slot, slotMs }, options, fileNames);
      runs.push(await measureOne(endpoint, { slot, slotMs, file }, options));
    }
  }
  return runs;
}

interface Slot {
  readonly slot: number;
  /** Runs with the same time belong to one slot and form a pair. */
  readonly slotMs: number;
  readonly file: SampleFile | null;
}

function createFile(
  endpoint: string,
  { slot, slotMs }: Omit<Slot, "file">,
  { output, method, legs }: MeasureOptions,
  names: Set<string>,
): SampleFile | null {
  if (output === null) return null;
  const { parameters } = chooseStoreMethod(method);
  const details = {
    endpoint,
    method: method.name,
    parameters: JSON.stringify(parameters),
    // Included because a run that fails at its start has no sample with its slot.
    slot: String(slot + 1),
    slotMs: String(slotMs),
  };
  const connectionCounts = listConnections(legs);
  const name = `${endpoint}-${method.name}-${slot + 1}`;
  try {
    const file = new SampleFile(output, { name, details, connectionCounts }, names);
    names.add(file.name);
    return file;
  } catch (error) {
    throw new UsageError(`--output ${output} cannot be written to: ${(error as Error).message}.`);
  }
}

async function measureOne(
  { place, credentials }: BenchEndpoint,
  { slot, slotMs, file }: Slot,
  { method, slotCount, screen, signal }: MeasureOptions,
): Promise<MeasuredRun> {
  const runId = randomUUID();
  const samples: BenchmarkSample[] = [];
  const endpoint = await pinTarget(place, credentials, resolveAddress);
  const title = slotCount === 1 ? place.name : `${place.name}, slot ${slot + 1} of ${slotCount}`;
  const job = { runId, slotMs, method, endpoint, credentials, seed: randomInt(2 ** 32) };
  const end = await startSampler(job, {
    onSample: (sample) => {
      const named = { ...sample, endpoint: place.name };
      samples.push(named);
      file?.add(named);
    },
    onProgress: ({ share, text, leftMs }) => {
      file?.flush();
      const left = leftMs === null ? "" : `, ${Math.ceil(leftMs / 1000)} s left`;
      screen.draw(`${title}: ${text}, ${(share * 100).toFixed(0)} %${left}`);
    },
    signal,
  });
  screen.draw("");
  file?.end(end.state);
  const fileProblem = file?.problem ?? null;
  const run = { endpoint: place.name, slot, slotMs, runId, samples, end, fileProblem };
  // An endpoint that never answered holds no objects of the run.
  if (end.manifest === null) return { ...run, leftover: null };
  screen.draw(`${title}: removing its objects`);
  const runPrefix = buildRunPrefix(place.prefix, runId);
  const leftover = await cleanUp({ endpoint, credentials, runPrefix }).then(
    () => null,
    (error: unknown) => `The objects below ${runPrefix} could not be removed: ${(error as Error).message}`,
  );
  screen.draw("");
  return { ...run, leftover };
}

/** Users who enter a name on their own machine may reach any address that it resolves to. */
async function resolveAddress(hostname: string): Promise<string> {
  try {
    return (await lookup(hostname)).address;
  } catch {
    throw new UsageError(
      `The name ${hostname} cannot be resolved; correct the address, or this machine's DNS.`,
    );
  }
}

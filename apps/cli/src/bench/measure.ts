/** Measures endpoints in slots, each once a slot in an order that is drawn, and removes what was written. */
import { randomInt, randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import {
  cleanUp,
  type MethodChoice,
  pinTarget,
  type RunEnd,
  runPrefixOf,
  startSampler,
} from "@stashlight/benchmark";
import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import { createUniform, shuffled } from "@stashlight/stats/random";
import type { Screen } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import type { BenchEndpoint } from "./endpoint-file.ts";

export interface MeasuredRun {
  readonly endpoint: string;
  readonly slot: number;
  readonly runId: string;
  readonly samples: readonly BenchmarkSample[];
  readonly end: RunEnd;
  /** Why what was written could not be removed; null when it is gone. */
  readonly leftover: string | null;
}

export interface MeasureOptions {
  readonly endpoints: readonly BenchEndpoint[];
  readonly method: MethodChoice;
  readonly slotCount: number;
  readonly seed: number;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Stops between two runs when the signal is aborted; the run under way is kept as far as it came. */
export async function measureAll(options: MeasureOptions): Promise<MeasuredRun[]> {
  const { endpoints, slotCount, seed, signal } = options;
  const random = createUniform(seed);
  const runs: MeasuredRun[] = [];
  for (let slot = 0; slot < slotCount; slot += 1) {
    for (const endpoint of shuffled(endpoints, random)) {
      if (signal.aborted) return runs;
      runs.push(await measureOne(endpoint, slot, options));
    }
  }
  return runs;
}

async function measureOne(
  { place, credentials }: BenchEndpoint,
  slot: number,
  { method, slotCount, screen, signal }: MeasureOptions,
): Promise<MeasuredRun> {
  const runId = randomUUID();
  const samples: BenchmarkSample[] = [];
  const endpoint = await pinTarget(place, credentials, addressOf);
  const title = slotCount === 1 ? place.name : `${place.name}, slot ${slot + 1} of ${slotCount}`;
  const job = { runId, method, endpoint, credentials, seed: randomInt(2 ** 32) };
  const end = await startSampler(job, {
    onSample: (sample) => samples.push({ ...sample, endpoint: place.name }),
    onProgress: ({ share, text, leftMs }) => {
      const left = leftMs === null ? "" : `, ${Math.ceil(leftMs / 1000)} s left`;
      screen.draw(`${title}: ${text}, ${(share * 100).toFixed(0)} %${left}`);
    },
    signal,
  });
  screen.draw("");
  const run = { endpoint: place.name, slot, runId, samples, end };
  // An endpoint that never answered has nothing of the run.
  if (end.manifest === null) return { ...run, leftover: null };
  screen.draw(`${title}: removing what was written`);
  const runPrefix = runPrefixOf(place.prefix, runId);
  const leftover = await cleanUp({ endpoint, credentials, runPrefix }).then(
    () => null,
    (error: unknown) => `What is below ${runPrefix} could not be removed: ${(error as Error).message}`,
  );
  screen.draw("");
  return { ...run, leftover };
}

/** Whoever types a name on their own machine may reach whatever it stands for. */
async function addressOf(hostname: string): Promise<string> {
  try {
    return (await lookup(hostname)).address;
  } catch {
    throw new UsageError(
      `The name ${hostname} cannot be resolved; correct the address, or this machine's DNS.`,
    );
  }
}

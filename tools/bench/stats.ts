/**
 * Cost of comparing a long archive: five years of six-hourly runs of four endpoints and two sizes, 100 samples per run,
 * against a page's limit of one second. CPU time of one thread, so that a busy machine gives the same result.
 */
import { compareLegs, createRandom, findChangePoints, type RunSeries } from "@stashlight/stats";
import type { Measurement } from "./measurement.ts";
import { median } from "./rounds.ts";

const RUN_COUNT = Math.round(5 * 365.25 * 4);
const SAMPLES_A_RUN = 100;
const SLOT_MS = 6 * 3_600_000;
const ROUNDS = 5;
const MEANS_MS = [118, 157, 125, 131, 137, 153, 141, 146];
/** Each other endpoint against the first, for both sizes. */
const PAIRS = [0, 4].flatMap((first) => [1, 2, 3].map((other) => [first, first + other] as const));

export async function benchStats(say: (line: string) => void): Promise<Measurement[]> {
  const random = createRandom(1);
  const legs = MEANS_MS.map((mean) => drawSeries(mean, random.uint32));
  const firstSamples = legs.map(({ values }) => values.filter((_, i) => i % SAMPLES_A_RUN === 0));
  const compare: number[] = [];
  const trend: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    say(`statistics of ${RUN_COUNT * legs.length} runs, round ${round + 1} of ${ROUNDS}`);
    compare.push(processorMs(() => compareLegs({ legs, pairs: PAIRS })));
    trend.push(
      processorMs(() =>
        firstSamples.map((values) => findChangePoints(values, { random: createRandom(round) })),
      ),
    );
  }
  const against = { name: "the second that a page waits", value: 1000 };
  return [
    { name: "comparison of 4 endpoints x 2 sizes, 5 years", value: median(compare), unit: "ms", against },
    { name: "change points of the same", value: median(trend), unit: "ms", against },
  ];
}

function drawSeries(meanMs: number, uint32: () => number): RunSeries {
  const share = (): number => uint32() / 2 ** 32;
  return {
    slotsMs: Float64Array.from({ length: RUN_COUNT }, (_, run) => run * SLOT_MS),
    offsets: Uint32Array.from({ length: RUN_COUNT + 1 }, (_, run) => run * SAMPLES_A_RUN),
    values: Float64Array.from(
      { length: RUN_COUNT * SAMPLES_A_RUN },
      () => meanMs * (0.8 + 0.3 * share() + 0.2 * share() ** 4),
    ),
  };
}

function processorMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

import { expect, test } from "vitest";
import { StatsError } from "../error.ts";
import { createRandom, createUniform, randomNormal } from "../random.ts";
import { findShaping, type TokenBucket } from "./find-shaping.ts";
import { behindBucket, noises, rateSeries } from "./testing.ts";

const gp2 = { burst: 3_000, base: 300, bucket: 5_400_000 };

function findTokenBucket(series: Float64Array): TokenBucket {
  const found = findShaping(series);
  if (found.kind !== "token-bucket") throw new Error(`Found ${found.kind}.`);
  return found;
}

test("the burst of a 100 GiB gp2 volume is found with its bucket, to the second", () => {
  const found = findTokenBucket(behindBucket(2_400, gp2, noises.none()));
  expect(found).toMatchObject({ burstRate: 3_000, baseRate: 300 });
  expect(found.burstSeconds).toBeCloseTo(2_000, 6);
  expect(found.bucketTokens).toBeCloseTo(5_400_000, 3);
  expect(found.errorShare).toBeCloseTo(0, 9);
});

test("a bucket that empties within a second is found to a fraction of that second", () => {
  const found = findTokenBucket(
    behindBucket(120, { burst: 1_000, base: 100, bucket: 18_450 }, noises.none()),
  );
  expect(found.burstSeconds).toBeCloseTo(20.5, 6);
  expect(found.bucketTokens).toBeCloseTo(18_450, 6);
});

test("of 200 buckets of random sizes 95 % are fitted to within 5 %, and 90 % are within their intervals", () => {
  let within = 0;
  let held = 0;
  for (let seed = 0; seed < 200; seed += 1) {
    const draw = createUniform(seed);
    const burst = 1_000 + 9_000 * draw();
    const base = burst * (0.05 + 0.45 * draw());
    const burstSeconds = 30 + 600 * draw();
    const limits = { burst, base, bucket: (burst - base) * burstSeconds };
    const seconds = Math.round(burstSeconds + 60 + 600 * draw());
    const noise = seed % 2 === 0 ? noises.normal(seed, 0.08) : noises.heavyTailed(seed, 0.1);
    const { uint32 } = createRandom(seed);
    const measured = behindBucket(seconds, limits, noise).map((rate) =>
      rate > base ? rate : base * (1 + 0.03 * randomNormal(uint32)),
    );
    const found = findShaping(measured);
    if (found.kind !== "token-bucket") continue;
    if (Math.abs(found.bucketTokens / limits.bucket - 1) <= 0.05) within += 1;
    if (found.bucketInterval.low <= limits.bucket && limits.bucket <= found.bucketInterval.high) held += 1;
  }
  expect(within).toBeGreaterThanOrEqual(190);
  expect(held).toBeGreaterThanOrEqual(180);
});

test("at most 10 of 1,000 noisy drives without a limit are called shaped", () => {
  const kinds = ["normal", "heavyTailed", "drifting", "stalling", "declining", "neighbours"] as const;
  const shaped: string[] = [];
  for (let seed = 0; seed < 1_000; seed += 1) {
    const kind = kinds[seed % kinds.length] as (typeof kinds)[number];
    const seconds = [60, 300, 1_800][seed % 3] as number;
    const found = findShaping(rateSeries(seconds, 5_000, noises[kind](seed)));
    if (found.kind !== "level" && found.kind !== "varies") shaped.push(`${kind} ${seconds} s: ${found.kind}`);
  }
  expect(shaped.length, shaped.join(", ")).toBeLessThanOrEqual(10);
});

test("levels that fall and recover are reported as varying, not as a bucket", () => {
  const series = rateSeries(1_200, 5_000, (second) => (second >= 400 && second < 800 ? 0.5 : 1));
  const found = findShaping(series);
  expect(found).toMatchObject({ kind: "varies" });
  expect(found.kind === "varies" && found.levels.map(({ from, rate }) => [from, rate])).toEqual([
    [0, 5_000],
    [400, 2_500],
    [800, 5_000],
  ]);
});

test("an instance's bucket behind a volume's bucket gives two steps", () => {
  const noise = noises.normal(7);
  const volume = behindBucket(1_500, { burst: 8_000, base: 3_000, bucket: 1_500_000 }, noise);
  let tokens = 4_000_000;
  const series = volume.map((rate) => {
    const done = Math.min(rate, tokens + 1_000);
    tokens = Math.min(4_000_000, tokens + 1_000 - done);
    return done;
  });
  const found = findShaping(series);
  expect(found.kind).toBe("steps");
  const rates = found.kind === "steps" ? found.levels.map(({ rate }) => rate) : [];
  expect(rates).toHaveLength(3);
  for (const [i, rate] of [8_000, 3_000, 1_000].entries()) {
    expect(Math.abs((rates[i] as number) / rate - 1)).toBeLessThan(0.03);
  }
});

test.each([4, 7, 30, 90])("a shaper that opens every %s s is found with its period", (period) => {
  for (const seed of [1, 2, 3]) {
    const noise = noises.normal(seed, 0.1);
    const series = rateSeries(
      900,
      2_000,
      (second) => ((second / period) % 1 < 0.5 ? 1 : 0.6) * noise(second),
    );
    const found = findShaping(series);
    expect(found.kind).toBe("periodic");
    expect(found.kind === "periodic" && Math.abs(found.periodSeconds / period - 1)).toBeLessThan(0.02);
  }
});

test("a level drive has its rate and its noise", () => {
  const found = findShaping(rateSeries(600, 5_000, noises.normal(3, 0.1)));
  expect(found.kind).toBe("level");
  if (found.kind !== "level") return;
  expect(found.rate / 5_000).toBeCloseTo(1, 1);
  expect(found.noise / 500).toBeCloseTo(1, 0);
});

test.each([
  ["too few seconds", new Float64Array(29), "There are 29 rates; at least 30 are needed."],
  [
    "a negative rate",
    Float64Array.from({ length: 30 }, (_, i) => (i === 4 ? -1 : 1)),
    "Rate 4 is -1; a rate is zero or more.",
  ],
  [
    "a rate that is not a number",
    Float64Array.from({ length: 30 }, () => Number.NaN),
    /Value 0 of the rates is NaN/,
  ],
])("input with %s is refused with an explanation", (_, rates, message) => {
  expect(() => findShaping(rates)).toThrow(StatsError);
  expect(() => findShaping(rates)).toThrow(message);
});

test("a drive that did nothing at all is level at zero", () => {
  expect(findShaping(new Float64Array(60))).toEqual({ kind: "level", rate: 0, noise: 0 });
});

import { timeToFull } from "@stashlight/contracts/vault/time-to-full";
import { createRandom, randomNormal } from "@stashlight/stats/random";
import { expect, test } from "vitest";
import { bandInWords, type FillBand, fillBand } from "./fill-band.ts";

const HOUR_MS = 3_600_000;
const fromMs = Date.UTC(2026, 10, 26, 12);
/** An hour of windows of a minute. */
const endMs = Array.from({ length: 60 }, (_, i) => fromMs - (59 - i) * 60_000);

/** Fills by a byte a second, with so much noise; 10,000 bytes are left at the end. */
function store(sd: number, seed: number) {
  const { uint32 } = createRandom(seed);
  const liveBytes = endMs.map((ms) => 90_000 + (ms - fromMs) / 1000 + sd * randomNormal(uint32));
  return { endMs, liveBytes, capacityBytes: 100_000 };
}

const bandOf = (input: ReturnType<typeof store>): FillBand | null => fillBand(input, timeToFull(input));

test("a store that fills evenly is full at one moment", () => {
  const band = bandOf(store(0, 1));
  expect(band?.earliestMs).toBeCloseTo(fromMs + 10_000_000, -3);
  expect(band?.latestMs).toBeCloseTo(fromMs + 10_000_000, -3);
});

test("the band holds the true moment for nineteen stores of twenty, and the time to full for all", () => {
  let held = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const input = store(200, seed);
    const told = timeToFull(input);
    const band = bandOf(input);
    if (told.kind !== "filling" || band === null) throw new Error("It fills, with noise of its own.");
    const { earliestMs, latestMs } = band;
    expect(earliestMs).toBeLessThanOrEqual(fromMs + told.seconds * 1000);
    expect(latestMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(fromMs + told.seconds * 1000);
    // The rest differs by the noise of the newest window, so it is taken as it was measured.
    const left = (100_000 - (input.liveBytes.at(-1) ?? 0)) * 1000;
    if (earliestMs <= fromMs + left && (latestMs ?? Number.POSITIVE_INFINITY) >= fromMs + left) held += 1;
  }
  expect(held / 400).toBeGreaterThan(0.92);
  expect(held / 400).toBeLessThan(0.99);
});

test("growth that may as well be none has an earliest moment and no latest", () => {
  const noisy = Array.from({ length: 40 }, (_, seed) => bandOf(store(6_000, seed + 1)));
  expect(noisy.some((band) => band !== null && band.latestMs === null)).toBe(true);
});

test("what does not fill, and too few windows, have no band", () => {
  const level = { endMs, liveBytes: endMs.map(() => 5), capacityBytes: 10 };
  expect(fillBand(level, timeToFull(level))).toBeNull();
  const few = { endMs: endMs.slice(0, 3), liveBytes: [1, 2, 3], capacityBytes: 10 };
  expect(fillBand(few, timeToFull(few))).toBeNull();
});

const at = (...time: [month: number, day: number, hour?: number, minute?: number]) =>
  Date.UTC(2026, time[0] - 1, time[1], time[2] ?? 12, time[3] ?? 0);

test.each<[string, number, number | null]>([
  ["between 3 and 5 December", at(12, 3), at(12, 5)],
  ["between 28 November and 5 December", at(11, 28, 18), at(12, 5)],
  ["between 30 December and 2 January 2027", at(12, 30), Date.UTC(2027, 0, 2)],
  ["on 3 December", at(12, 3, 1), at(12, 3, 20)],
  ["between 14:20 and 16:05", at(11, 26, 14, 20), at(11, 26, 16, 5)],
  ["at 14:20", at(11, 26, 14, 20), at(11, 26, 14, 20)],
  ["on 27 November between 04:00 and 05:30", at(11, 27, 4), at(11, 27, 5, 30)],
  ["between 26 November, 22:10 and 27 November, 03:40", at(11, 26, 22, 10), at(11, 27, 3, 40)],
  ["not before 3 December", at(12, 3), null],
  ["not before 14:20", at(11, 26, 14, 20), null],
])("%s", (words, earliestMs, latestMs) => {
  expect(bandInWords({ fromMs, earliestMs, latestMs }, "UTC")).toBe(words);
});

test("the hours of the night to come need no date", () => {
  const night = { fromMs: at(11, 26, 19), earliestMs: at(11, 26, 23, 46), latestMs: at(11, 27, 0, 9) };
  expect(bandInWords(night, "UTC")).toBe("between 23:46 and 00:09");
});

test("days are those of the viewer's time zone", () => {
  const band = { fromMs, earliestMs: fromMs + 200 * HOUR_MS, latestMs: fromMs + 230 * HOUR_MS };
  expect(bandInWords(band, "UTC")).toBe("between 4 and 6 December");
  expect(bandInWords(band, "Asia/Tokyo")).toBe("between 5 and 6 December");
});

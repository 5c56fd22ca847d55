/** Guarantees for every chart and any measurements: lines, hatching and line names. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { placeEndLabels } from "./labels.ts";
import type { ChartRange } from "./model.ts";
import { prepareBars } from "./prepare-bars.ts";
import { type LineInput, prepareLines } from "./prepare-lines.ts";
import { readAt } from "./readings.ts";

const stepMs = 10_000;
const windowCount = 30;
const range: ChartRange = { fromMs: 0, toMs: windowCount * stepMs };
const frame = { range, stepMs, quantity: "seconds", utcOffsetMs: 0 } as const;
const windowEnds = Array.from({ length: windowCount }, (_, i) => (i + 1) * stepMs);

/** Some of the windows, in order. */
const windows = fc.subarray(windowEnds);
const line = (id: string) =>
  windows.chain((endMs) =>
    fc
      .array(fc.option(fc.integer({ min: 0, max: 10_000 }).map((ms) => ms / 1_000)), {
        minLength: endMs.length,
        maxLength: endMs.length,
      })
      .map((values): LineInput => ({ id, label: id, tone: "stash", endMs, values })),
  );
const lines = fc
  .integer({ min: 1, max: 4 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => line(`line ${i}`))));
const stepSpans = (ends: readonly number[]): ChartRange[] =>
  ends.map((endMs) => ({ fromMs: endMs - stepMs, toMs: endMs }));

test("every line that has a value is drawn, with each of its values", () => {
  fc.assert(
    fc.property(lines, (given) => {
      const { marks, isEmpty } = prepareLines({ ...frame, lines: given });
      for (const { id, endMs, values } of given) {
        const known = endMs.filter((_, i) => values[i] !== null);
        const mark = marks.find((each) => each.kind === "line" && each.id === id);
        const points = mark?.kind === "line" ? mark.points : [];
        const drawn = new Set(points.flatMap(([timeMs, value]) => (value === null ? [] : [timeMs])));
        expect(known.filter((timeMs) => !drawn.has(timeMs))).toEqual([]);
        if (known.length > 0) expect(isEmpty).toBe(false);
      }
    }),
  );
});

test("no time is hatched in which a series has a point or a node reported", () => {
  fc.assert(
    fc.property(lines, windows, (given, reportedEnds) => {
      const { gaps } = prepareLines({ ...frame, lines: given, reported: stepSpans(reportedEnds) });
      const known = [...given.flatMap(({ endMs }) => endMs), ...reportedEnds];
      for (const { startMs, endMs } of gaps) {
        expect(known.filter((at) => at > startMs && at - stepMs < endMs)).toEqual([]);
      }
    }),
  );
});

test("every silence of more than a window and a half is hatched", () => {
  fc.assert(
    fc.property(windows, windows, (endMs, reportedEnds) => {
      const values = endMs.map(() => 1);
      const given: LineInput = { id: "a", label: "a", tone: "stash", endMs, values };
      const { gaps } = prepareLines({ ...frame, lines: [given], reported: stepSpans(reportedEnds) });
      const known = new Set([...endMs, ...reportedEnds]);
      windowEnds.slice(1).forEach((at) => {
        if (known.has(at) || known.has(at - stepMs)) return;
        const isHatched = gaps.some((gap) => gap.startMs <= at - stepMs && gap.endMs >= at);
        expect(isHatched).toBe(true);
      });
    }),
  );
});

test("a known zero is read as zero in every reported window", () => {
  fc.assert(
    fc.property(windows, (reportedEnds) => {
      const reported = stepSpans(reportedEnds);
      const chart = prepareBars({ ...frame, quantity: "count", layers: [], reported, zeroLabel: "none" });
      expect(chart.isEmpty).toBe(reportedEnds.length === 0);
      for (const at of reportedEnds) {
        expect(readAt(chart, at).readings.map(({ label, value }) => [label, value])).toEqual([["none", "0"]]);
      }
    }),
  );
});

test("a counter that never moved is drawn as a zero line where it was reported, without hatching", () => {
  const reported = [range];
  const chart = prepareBars({ ...frame, quantity: "count", layers: [], reported, zeroLabel: "none" });
  expect(chart.gaps).toEqual([]);
  expect(chart).toMatchObject({ isEmpty: false, zeroUntilMs: windowEnds.at(-1) });
  expect(chart.marks).toMatchObject([{ kind: "line", points: windowEnds.map((at) => [at, 0]) }]);
});

test("an unchanging counter is drawn as a line at zero", () => {
  const still = { id: "shed", label: "shed", tone: "warning", endMs: windowEnds } as const;
  const layers = [{ ...still, values: windowEnds.map(() => 0) }];
  const chart = prepareBars({ ...frame, quantity: "count", layers });
  expect(chart).toMatchObject({ zeroUntilMs: windowEnds.at(-1), isEmpty: false });
  expect(chart.marks).toContainEqual(expect.objectContaining({ kind: "line", id: "zero" }));
});

test("lines are named in the order of their last values, apart, inside the plot and near their ends", () => {
  const [heightPx, labelPx] = [180, 14];
  fc.assert(
    fc.property(lines, (given) => {
      const chart = prepareLines({ ...frame, lines: given });
      const places = placeEndLabels(chart, heightPx, labelPx);
      const lastValue = (id: string) =>
        given.find((each) => each.id === id)?.values.findLast((value) => value !== null) ?? 0;
      const { max } = chart.valueAxis;
      places.forEach(({ id, topPx }, i) => {
        const next = places[i + 1];
        if (next !== undefined) {
          expect(lastValue(id)).toBeGreaterThanOrEqual(lastValue(next.id));
          expect(next.topPx - topPx).toBeGreaterThanOrEqual(labelPx - 1e-9);
        }
        expect(topPx).toBeGreaterThanOrEqual(labelPx / 2 - 1e-9);
        expect(topPx).toBeLessThanOrEqual(heightPx - labelPx / 2 + 1e-9);
        // Other names displace it by half a label each, and the plot's edge by their total height.
        const belongsPx = (1 - lastValue(id) / max) * heightPx;
        expect(Math.abs(topPx - belongsPx)).toBeLessThanOrEqual((places.length - 0.5) * labelPx + 1e-9);
      });
    }),
  );
});

test("the name “direct”, which ends at 4.4, is placed above “stash”, which ends at 0", () => {
  const ended = (id: string, values: readonly number[]): LineInput => ({
    id,
    label: id,
    tone: "stash",
    endMs: windowEnds.slice(0, values.length),
    values,
  });
  const given = [ended("stash", [9, 9, 9, 0]), ended("direct", [4.4, 4.4, 4.4, 4.4])];
  const places = placeEndLabels(prepareLines({ ...frame, lines: given }), 180, 14);
  expect(places.map(({ id }) => id)).toEqual(["direct", "stash"]);
});

test("pieces too short for dashes are solid, and a lone window has its full length", () => {
  const dashed = { id: "p50", label: "p50", tone: "direct", weight: "light" } as const;
  const lone: LineInput = { ...dashed, endMs: [10_000, 50_000], values: [1, 2] };
  expect(prepareLines({ ...frame, lines: [lone] }).marks).toMatchObject([
    {
      isSolid: true,
      points: [
        [0, 1],
        [10_000, 1],
        [10_001, null],
        [40_000, 2],
        [50_000, 2],
      ],
    },
  ]);
  const long: LineInput = { ...dashed, endMs: windowEnds, values: windowEnds };
  expect(prepareLines({ ...frame, lines: [long] }).marks[0]).not.toHaveProperty("isSolid");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTightLogAxis, makeTimeTicks, makeValueAxis, toAxis } from "./axes.ts";

test.each([
  { values: [0.0004, 0.0012], mayBeLog: true, scale: "linear", labels: ["0", "0.5", "1", "1.5"] },
  { values: [0.00001, 0.9], mayBeLog: true, scale: "log", labels: ["0.01", "1", "100"] },
  { values: [0.001, 0.1], mayBeLog: true, scale: "linear", labels: ["0", "50", "100"] },
  { values: [1, 1_000_000], mayBeLog: false, scale: "linear", labels: ["0", "5", "10", "15"] },
  { values: [], mayBeLog: true, scale: "linear", labels: ["0", "0.5", "1"] },
] as const)("the axis includes $values on a $scale scale", ({ values, mayBeLog, scale, labels }) => {
  const { axis } = makeValueAxis({ quantity: "seconds", values, mayBeLog });
  expect(axis.scale).toBe(scale);
  expect(axis.ticks.map(({ label }) => label)).toEqual(labels);
});

test("an axis has two to five labels and room for every value", () => {
  const values = fc.array(fc.double({ min: 1e-7, max: 1e15, noNaN: true }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(values, fc.boolean(), (drawn, mayBeLog) => {
      const { axis } = makeValueAxis({ quantity: "seconds", values: drawn, mayBeLog });
      expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
      expect(axis.ticks.length).toBeLessThanOrEqual(5);
      for (const value of drawn) {
        expect(toAxis(axis, value)).toBeGreaterThanOrEqual(axis.min);
        expect(toAxis(axis, value)).toBeLessThanOrEqual(axis.max + Math.abs(axis.max) * 1e-9);
      }
      if (axis.scale === "linear") expect(axis.min).toBe(0);
    }),
  );
});

test.each([
  [0.014, 0.32, ["20", "50", "100", "200"]],
  [0.0005, 1.1, ["1", "10", "100", "1,000"]],
  [0.00001, 31, ["0.01", "1", "100", "10,000"]],
])(
  "a tight axis from %d s to %d s has round labels and no room beyond its values",
  (lowest, highest, labels) => {
    const { axis } = makeTightLogAxis(lowest, highest, "seconds");
    expect(axis.ticks.map(({ label }) => label)).toEqual(labels);
    expect([axis.min, axis.max]).toEqual([Math.log10(lowest), Math.log10(highest)]);
  },
);

const at = (text: string) => Date.parse(`${text}Z`);

test.each([
  {
    from: "2026-11-21T10:00",
    to: "2026-11-21T10:15",
    offsetH: 0,
    labels: ["10:00", "10:05", "10:10", "10:15"],
  },
  {
    from: "2026-11-21T10:00:01",
    to: "2026-11-21T10:00:21",
    offsetH: 0,
    labels: ["10:00:05", "10:00:10", "10:00:15", "10:00:20"],
  },
  {
    from: "2026-11-20T12:30",
    to: "2026-11-21T12:30",
    offsetH: 0,
    labels: ["18:00", "21 Nov", "06:00", "12:00"],
  },
  {
    from: "2026-11-20T12:30",
    to: "2026-11-21T12:30",
    offsetH: 1,
    labels: ["18:00", "21 Nov", "06:00", "12:00"],
  },
  { from: "2026-11-01T00:00", to: "2026-11-30T00:00", offsetH: 0, labels: ["3 Nov", "13 Nov", "23 Nov"] },
])("round times are chosen from $from to $to, $offsetH h ahead of UTC", ({ from, to, offsetH, labels }) => {
  const ticks = makeTimeTicks({ fromMs: at(from), toMs: at(to) }, offsetH * 3_600_000);
  expect(ticks.map(({ label }) => label)).toEqual(labels);
  expect(ticks.length).toBeLessThanOrEqual(5);
  for (const tick of ticks) expect(tick.at).toBeLessThanOrEqual(at(to));
});

test("a logarithmic axis ends with the decade of its largest value, labelled or not", () => {
  const { axis } = makeValueAxis({ quantity: "seconds", values: [0.0002, 1.01], mayBeLog: true });
  expect([axis.min, axis.max]).toEqual([-4, 1]);
  expect(axis.ticks.map(({ at }) => at)).toEqual([-4, -2, 0]);
});

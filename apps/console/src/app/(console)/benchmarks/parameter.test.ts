import type { BenchmarkMethodRow, BenchmarkParameter } from "@stashlight/contracts/benchmark";
import { formatSize, parseSize } from "@stashlight/contracts/sample";
import { expect, test } from "vitest";
import { parameterItems, parameterLabel, parseParameter, parseParameters, typedValues } from "./parameter.ts";

const sizes: BenchmarkParameter = {
  name: "sizesBytes",
  label: "Sizes",
  hint: null,
  kind: "numbers",
  unit: "B",
  min: 1,
  max: 104_857_600,
  isInteger: true,
  defaultValue: [256_000, 1_000_000],
};
const pause: BenchmarkParameter = {
  name: "pauseMs",
  label: "Pause",
  hint: null,
  kind: "number",
  unit: "ms",
  min: 0,
  max: 60_000,
  isInteger: false,
  defaultValue: 10,
};
const operations: BenchmarkParameter = {
  name: "operations",
  label: "Operations",
  hint: null,
  kind: "choices",
  options: ["PUT", "GET"],
  defaultValue: ["PUT"],
};
const method: BenchmarkMethodRow = {
  name: "method",
  measures: "stores",
  version: 1,
  title: "Method",
  description: "",
  presets: [],
  parameters: [sizes, pause, operations],
};

test.each([
  ["256 kB", 256_000],
  ["256 KiB", 262_144],
  ["1MB", 1_000_000],
  ["1 MiB", 1_048_576],
  ["10 GB", 10_000_000_000],
  ["256,000 B", 256_000],
  ["17", 17],
  ["a lot", Number.NaN],
  ["1 kg", Number.NaN],
  ["", Number.NaN],
])("the size %s is read as %d bytes", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each([1, 999, 1000, 1024, 256_000, 262_144, 1_000_000, 1_048_576, 104_857_600, 10e9, 268_435_456, 1e12])(
  "the size of %d bytes is printed exactly",
  (bytes) => {
    expect(parseSize(formatSize(bytes))).toBe(bytes);
  },
);

test("a printed size distinguishes kB and KiB", () => {
  expect([256_000, 262_144, 1_000_000, 1_048_576, 1_001].map(formatSize)).toEqual([
    "256 kB",
    "256 KiB",
    "1 MB",
    "1 MiB",
    "1001 B",
  ]);
});

test("parameter values survive a round trip through typed text", () => {
  const typed = typedValues(method, { pauseMs: 2.5 });
  expect(typed).toEqual({ sizesBytes: "256 kB, 1 MB", pauseMs: "2.5", operations: ["PUT"] });
  expect(parseParameters(method, typed)).toEqual({
    parameters: { sizesBytes: [256_000, 1_000_000], pauseMs: 2.5, operations: ["PUT"] },
    problems: {},
  });
  expect(parseParameters(method, {}).parameters).toMatchObject({ pauseMs: 10 });
});

test("a number with thousands separators is read as one number, and a list splits at a comma with a space", () => {
  expect(parseParameter(sizes, "256,000 B; 1 MB")).toEqual({ value: [256_000, 1_000_000] });
  expect(parseParameter(sizes, "256,000, 1,000,000")).toEqual({ value: [256_000, 1_000_000] });
});

test("the problem of an invalid value states what the parameter accepts", () => {
  expect(parseParameter(pause, "soon")).toEqual({ problem: "Enter a number from 0 to 60,000 ms." });
  expect(parseParameter(pause, "")).toHaveProperty("problem");
  expect(parseParameter(pause, "60001")).toHaveProperty("problem");
  expect(parseParameter(sizes, "256 kB, 1 GB")).toEqual({
    problem: "Enter one or more values, separated by commas: 1 B to 100 MiB, such as 256 kB or 1 MiB.",
  });
  expect(parseParameter(operations, [])).toEqual({ problem: "Choose at least one." });
});

test("a label names the unit, and a value is shown with it", () => {
  expect([parameterLabel(pause), parameterLabel(sizes)]).toEqual(["Pause, ms", "Sizes"]);
  const said = (pauseMs: number) => parameterItems(method, { pauseMs })[1]?.value;
  expect([10, 30_000, 2.5].map(said)).toEqual(["10 ms", "30,000 ms", "2.5 ms"]);
  expect(parameterItems(method, { sizesBytes: [256_000] })).toEqual([
    { id: "sizesBytes", term: "Sizes", value: "256 kB" },
    { id: "pauseMs", term: "Pause", value: "10 ms" },
    { id: "operations", term: "Operations", value: "PUT" },
  ]);
});

test.each([
  ["closed", ["Pace", "Pause"]],
  ["constant-rate", ["Pace", "Rate"]],
])("a pace of %s is shown with the parameters that affect it", (mode, expected) => {
  const shared = { hint: null, min: 0, max: 100, isInteger: true, kind: "number" } as const;
  const paced: BenchmarkMethodRow = {
    ...method,
    parameters: [
      {
        name: "mode",
        label: "Pace",
        hint: null,
        kind: "choice",
        defaultValue: "closed",
        options: ["closed", "constant-rate"],
      },
      { ...shared, name: "pauseMs", label: "Pause", unit: "ms", defaultValue: 10 },
      { ...shared, name: "ratePerSecond", label: "Rate", unit: "1/s", defaultValue: 10 },
    ],
  };
  expect(parameterItems(paced, { mode }).map(({ term }) => term)).toEqual(expected);
});

test("parameters of an unknown method are shown unchanged", () => {
  expect(parameterItems(undefined, { pauseMs: 10, mode: "closed" })).toEqual([
    { id: "pauseMs", term: "pauseMs", value: "10" },
    { id: "mode", term: "mode", value: "closed" },
  ]);
});

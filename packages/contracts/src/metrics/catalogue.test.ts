import { describe, expect, test } from "vitest";
import { metricCatalogue } from "./catalogue.ts";
import { type MetricDefinition, toSizeClass } from "./definition.ts";

const metrics = Object.entries<MetricDefinition>(metricCatalogue).map(([name, metric]) => ({
  name,
  ...metric,
}));
const UNITS_IN_NAMES = new Set(["seconds", "bytes", "records", "shards", "segments", "ratio", "info"]);

describe.each(metrics)("$name", ({ name, kind, unit, help, labels, octaves }) => {
  test("has a name and labels that Prometheus accepts unchanged, with our prefix", () => {
    expect(name).toMatch(/^stashlight(_[a-z]+)+$/);
    for (const label of labels) expect(label).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test("has its unit in its name, and `_total` for a counter", () => {
    const family = name.replace(/_total$/, "");
    expect(name.endsWith("_total")).toBe(kind === "counter");
    if (UNITS_IN_NAMES.has(unit)) expect(family.split("_")).toContain(unit);
    if (kind !== "counter" && UNITS_IN_NAMES.has(unit)) expect(family.endsWith(`_${unit}`)).toBe(true);
  });

  test("has a help sentence, and octaves for a histogram", () => {
    expect(help).toMatch(/^\S.*\.$/);
    expect(octaves !== undefined).toBe(kind === "histogram");
    if (octaves) expect(octaves.highest - octaves.lowest).toBeGreaterThan(4);
  });
});

test("no two families differ only by suffixes that Prometheus adds", () => {
  const exposed = metrics.flatMap(({ name, kind }) =>
    kind === "histogram" ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  expect(new Set(exposed).size).toBe(exposed.length);
  const families = metrics.map(({ name }) => name.replace(/_total$/, ""));
  expect(new Set(families).size).toBe(families.length);
});

test.each([
  [0, "to-64KiB"],
  [65_536, "to-64KiB"],
  [65_537, "to-256KiB"],
  [262_144, "to-256KiB"],
  [1_048_576, "to-1MiB"],
  [1_048_577, "to-16MiB"],
  [5_000_000_000, "over-16MiB"],
] as const)("an upload of %i bytes is in class %s", (sizeBytes, expected) => {
  expect(toSizeClass(sizeBytes)).toBe(expected);
});

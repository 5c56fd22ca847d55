import type { OutgrownFigure } from "@stashlight/contracts/health";
import { expect, test } from "vitest";
import { outgrownTile } from "./outgrown.ts";

const figure = (more: Partial<OutgrownFigure>): OutgrownFigure => ({
  name: "Nodes",
  value: 30,
  unit: "nodes",
  error: null,
  limit: null,
  sampleCount: 30,
  source: "inventory",
  missing: "none",
  ...more,
});

test.each([
  [figure({ limit: 10_000 }), { value: "30", unit: "", statistic: "of 10,000", status: "good" }],
  [figure({ value: 10_000, limit: 10_000 }), { status: "warning" }],
  [
    figure({ value: 2.512, unit: "nodes a month", error: 0.784 }),
    { value: "2.5", unit: "per month", statistic: "± 0.78 per month at 95 %" },
  ],
  [
    figure({ value: 45.2, unit: "rows/s", limit: 20_000 }),
    { value: "45", unit: "/s", statistic: "of 20,000 /s" },
  ],
  [figure({ value: 0.2, unit: "rows/s" }), { value: "0.2", unit: "/s" }],
  [
    figure({ value: 5.1e9, unit: "bytes", limit: 8e12 }),
    { value: "5.10", unit: "GB", statistic: "of 8.00 TB" },
  ],
  [figure({ value: 90, unit: "seconds", limit: 3600 }), { value: "1", unit: "min", statistic: "of 1 h" }],
  [figure({ value: null, limit: 10_000 }), { value: null }],
])("case %#: a figure is shown with its error and its limit", (shown, tile) => {
  expect(outgrownTile(shown)).toMatchObject(tile);
});

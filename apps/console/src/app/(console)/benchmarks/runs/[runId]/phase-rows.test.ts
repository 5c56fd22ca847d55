import { expect, test } from "vitest";
import { phaseRows } from "./phase-rows.ts";

test("a phase is of the samples that reached it, and one that none did is left out", () => {
  const rows = phaseRows([
    { phases: { connectMs: 5, headersMs: 20 } },
    { phases: { headersMs: 30 } },
    { phases: { headersMs: 10 } },
  ]);
  expect(rows.map(({ name, n, medianMs, maxMs }) => [name, n, medianMs, maxMs])).toEqual([
    ["TCP connect", 1, 5, 5],
    ["Response headers", 3, 20, 30],
  ]);
});

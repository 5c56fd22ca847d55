import { expect, test } from "vitest";
import { phaseRows } from "./phase-rows.ts";

test("a phase covers only the samples that reached it, and is left out if none did", () => {
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

import { expect, test } from "vitest";
import { node, nowMs } from "../../../client/testing/node-row.ts";
import { fleetColumns, judgeRow } from "./fleet-columns.tsx";
import { readCondition } from "./vault-condition.ts";
import { vaultRows } from "./vault-rows.ts";

/** A row whose figures are this old on a page that advances. */
function rowAged(vault: string, ageMs: number) {
  const [row] = vaultRows([node({ vault })]);
  if (row === undefined) throw new Error("A node makes a row.");
  const measured = { atMs: nowMs - ageMs, stepMs: 10_000 };
  const condition = { ...readCondition(vault, [], [], []), measured };
  return judgeRow({ ...row, condition }, { nowMs, isLive: true });
}

test("the State column of the list has the word that the row of a stale vault shows", () => {
  const rows = [rowAged("current", 5_000), rowAged("old", 120_000)];
  const column = fleetColumns.find(({ id }) => id === "state");
  expect(rows.map((row) => column?.value?.(row))).toEqual(["all nodes report", "stale"]);
});

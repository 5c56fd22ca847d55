import { expect, test } from "vitest";
import { forgetNodes } from "./forget-nodes.ts";
import type { Queryable } from "./write-rows.ts";

/** A database that refuses the first `count` deletions from `table` with the error `code`. */
function failing(table: string, code: string, count: number): { db: Queryable; statements: string[] } {
  const statements: string[] = [];
  let left = count;
  const query = async (text: string) => {
    statements.push(text);
    if (text.includes(`DELETE FROM metric.${table} `) && left > 0) {
      left -= 1;
      throw Object.assign(new Error("refused"), { code });
    }
    return { rows: [], rowCount: 0 };
  };
  return { db: { query } as unknown as Queryable, statements };
}

const nodeIds = ["00000000-0000-4000-8000-000000000001"];
const deletionsFrom = (statements: readonly string[], table: string) =>
  statements.filter((text) => text.includes(`DELETE FROM metric.${table} `)).length;

test("a deletion that Postgres ends because of a deadlock with a roll-up is repeated", async () => {
  const { db, statements } = failing("rollup_due", "40P01", 2);
  await forgetNodes(db, nodeIds);
  expect(deletionsFrom(statements, "rollup_due")).toBe(3);
  expect(deletionsFrom(statements, "series")).toBe(1);
});

test.each([
  ["a deadlock at every attempt", "40P01", Number.POSITIVE_INFINITY, 11],
  ["another error", "42P01", 1, 1],
])(
  "%s ends the deletion with that error, and series remain, so that a retry finds them",
  async (_what, code, count, tries) => {
    const { db, statements } = failing("rollup_due", code, count);
    await expect(forgetNodes(db, nodeIds)).rejects.toMatchObject({ code });
    expect(deletionsFrom(statements, "rollup_due")).toBe(tries);
    expect(deletionsFrom(statements, "series")).toBe(0);
  },
);

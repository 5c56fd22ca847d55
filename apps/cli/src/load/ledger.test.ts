import { expect, test } from "vitest";
import { Ledger, type LedgerEntry } from "./ledger.ts";

const name = { bucket: "b", key: "k" };
const putting = (etag: string): LedgerEntry => ({ type: "putting", ...name, etag });
const put = (etag: string): LedgerEntry => ({ type: "put", ...name, etag });
const deleting: LedgerEntry = { type: "deleting", ...name };
const deleted: LedgerEntry = { type: "deleted", ...name };

test.each<[string, LedgerEntry[], (string | null)[]]>([
  ["an acknowledged upload exists", [putting("1"), put("1")], ["1"]],
  ["an overwrite without an answer leaves either version", [put("1"), putting("2")], ["1", "2"]],
  [
    "several overwrites without an answer leave any version",
    [put("1"), putting("2"), putting("3")],
    ["1", "2", "3"],
  ],
  [
    "an acknowledged overwrite leaves only its version",
    [put("1"), putting("2"), putting("3"), put("3")],
    ["3"],
  ],
  ["a delete without an answer leaves the object or nothing", [put("1"), deleting], ["1", null]],
  ["an acknowledged delete leaves nothing", [put("1"), deleting, deleted], [null]],
  ["an upload without an answer after a delete may exist or not", [deleted, putting("1")], [null, "1"]],
])("%s", (_, entries, allowed) => {
  const ledger = new Ledger();
  for (const entry of entries) ledger.note(entry);
  expect([...(ledger.find("b", "k")?.allowed ?? [])]).toEqual(allowed);
  expect(ledger.expectations()).toHaveLength(1);
  expect(ledger.acknowledgedCount).toBe(allowed.includes(null) ? 0 : 1);
});

test("expects nothing of a key without an acknowledged write", () => {
  const ledger = new Ledger();
  ledger.note(putting("1"));
  ledger.note(deleting);
  expect(ledger.find("b", "k")).toBeUndefined();
  expect(ledger.expectations()).toEqual([]);
  expect(ledger.names()).toEqual([name]);
});

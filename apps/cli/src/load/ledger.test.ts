import { expect, test } from "vitest";
import { Ledger, type LedgerEntry } from "./ledger.ts";

const name = { bucket: "b", key: "k" };
const putting = (etag: string): LedgerEntry => ({ type: "putting", ...name, etag });
const put = (etag: string): LedgerEntry => ({ type: "put", ...name, etag });
const deleting: LedgerEntry = { type: "deleting", ...name };
const deleted: LedgerEntry = { type: "deleted", ...name };

test.each<[string, LedgerEntry[], (string | null)[]]>([
  ["an upload without an answer may be there or not", [putting("1")], [null, "1"]],
  ["an acknowledged upload is there", [putting("1"), put("1")], ["1"]],
  [
    "an overwrite without an answer leaves one or the other",
    [putting("1"), put("1"), putting("2")],
    ["1", "2"],
  ],
  ["several without an answer leave any", [putting("1"), putting("2")], [null, "1", "2"]],
  ["an acknowledged overwrite ends all doubt", [putting("1"), putting("2"), put("2")], ["2"]],
  ["a delete without an answer leaves it or nothing", [put("1"), deleting], ["1", null]],
  ["an acknowledged delete leaves nothing", [put("1"), deleting, deleted], [null]],
])("%s", (_, entries, allowed) => {
  const ledger = new Ledger();
  for (const entry of entries) ledger.note(entry);
  expect([...(ledger.find("b", "k")?.allowed ?? [])]).toEqual(allowed);
  expect(ledger.acknowledgedCount).toBe(allowed.includes(null) ? 0 : 1);
});

test("nothing is expected of what was never noted", () => {
  expect(new Ledger().find("b", "k")).toBeUndefined();
});

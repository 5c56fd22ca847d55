import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { UsageError } from "../usage-error.ts";
import { openJournal, readJournal } from "./journal.ts";

const folder = useTestFolder();
const path = join(folder, "journal");

const name = { bucket: "b", key: "k\n" };

test("merges the entries of several loads into one ledger, without a truncated line", () => {
  const first = openJournal(path);
  first.note({ type: "putting", ...name, etag: "1" });
  first.note({ type: "put", ...name, etag: "1" });
  first.close();
  const second = openJournal(path);
  second.note({ type: "deleting", ...name });
  second.close();
  appendFileSync(path, '{"type":"deleted","buck');
  expect([...(readJournal(path).find("b", "k\n")?.allowed ?? [])]).toEqual(["1", null]);
});

test.each(["hello\n", '{"type":"put","bucket":"b"}\n', '{"type":"other","bucket":"b","key":"k"}\n'])(
  "%j is not a journal",
  (text) => {
    writeFileSync(path, text);
    expect(() => readJournal(path)).toThrow(
      new UsageError(`Line 1 of ${path} is not an entry of a vault load journal.`),
    );
  },
);

test("reports a journal that is missing or cannot be created", () => {
  expect(() => readJournal(path)).toThrow(`The journal ${path} cannot be read (ENOENT).`);
  const below = join(path, "deeper");
  expect(() => openJournal(below)).toThrow(`The journal ${below} cannot be written (ENOENT).`);
});

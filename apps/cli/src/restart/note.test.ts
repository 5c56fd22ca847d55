import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RestartNote } from "./note.ts";

const DAY_MS = 86_400_000;
const steps = ["a", "b", "c"].map((instance) => ({ instance }));

let config = "";
beforeEach(() => {
  config = join(mkdtempSync(join(tmpdir(), "stashlight-restart-")), "vault.json");
});
afterEach(() => {
  rmSync(join(config, ".."), { recursive: true });
});

const open = (nowMs: number, isFresh = false) => RestartNote.open(config, { isFresh, nowMs });

test("an interrupted restart continues with the agents that have not restarted yet", () => {
  const first = open(1000);
  expect(first.beganAtMs).toBeNull();
  expect(first.waiting(steps, 1000)).toEqual(steps);
  const again = open(2000);
  expect(again.beganAtMs).toBe(1000);
  expect(again.waiting([{ instance: "new" }, ...steps.slice(1)], 2000)).toEqual(steps.slice(1));
  again.end();
  expect(open(3000).beganAtMs).toBeNull();
});

test.each<[string, () => RestartNote]>([
  ["on request", () => open(2000, true)],
  ["after a day", () => open(1001 + DAY_MS)],
  [
    "after its file was damaged",
    () => {
      const path = join(config, "../rolling-restart.json");
      writeFileSync(path, readFileSync(path, "utf8").slice(0, 20));
      return open(2000);
    },
  ],
])("a restart begins anew %s", (_, reopen) => {
  open(1000).waiting(steps, 1000);
  expect(reopen().beganAtMs).toBeNull();
  const other = [{ instance: "x" }];
  expect(reopen().waiting(other, 2000)).toEqual(other);
});

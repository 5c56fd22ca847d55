import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Lock, readLockHolder, takeLock } from "./lock.ts";
import { readProcessStart } from "./process-start.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-lock-"));
  path = join(folder, "stashlight.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

function take(): Lock {
  const taken = takeLock(path, "http://localhost:4680");
  if (!("lock" in taken)) throw new Error(`Held by ${taken.holder.pid}.`);
  return taken.lock;
}

const deadPid = () => spawnSync(process.execPath, ["--version"]).pid;

test("a second process that wants the lock is shown its holder", () => {
  take();
  expect(takeLock(path, "")).toMatchObject({ holder: { pid: process.pid, note: "http://localhost:4680" } });
});

test("a released lock is free and leaves nothing", () => {
  take().release();
  expect(readdirSync(folder)).toEqual([]);
  take();
});

test.each<[string, () => string]>([
  ["of a process that has died", () => JSON.stringify({ pid: deadPid(), processStart: "x", note: "" })],
  [
    "whose process id belongs to another process by now",
    () => JSON.stringify({ pid: process.ppid, processStart: "an earlier boot/1", note: "" }),
  ],
  ["that is empty", () => ""],
  ["that is garbage", () => "\0\0\0 not a lock"],
  ["that names no process", () => "{}"],
])("a lock %s is taken over", (_, content) => {
  writeFileSync(path, content());
  take();
  expect(readLockHolder(path)?.pid).toBe(process.pid);
  expect(readdirSync(folder)).toEqual(["stashlight.lock"]);
});

test("a shared lock outlives the process that took it and the one that it is shared with", () => {
  const lock = take();
  lock.shareWith(process.ppid);
  expect(readLockHolder(path)?.pid).toBe(process.pid);
  const dead = { pid: deadPid(), processStart: "x" };
  const { sharedWith, ...own } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...own, ...dead, sharedWith }));
  expect(readLockHolder(path)).toMatchObject({
    pid: process.ppid,
    processStart: readProcessStart(process.ppid),
  });
  writeFileSync(path, JSON.stringify({ ...own, sharedWith: dead }));
  expect(readLockHolder(path)?.pid).toBe(process.pid);
  writeFileSync(path, JSON.stringify({ ...own, ...dead, sharedWith: dead }));
  expect(readLockHolder(path)).toBeUndefined();
});

test("a lock that another process took over is not released", () => {
  const lock = take();
  const other = JSON.stringify({ pid: process.ppid, processStart: readProcessStart(process.ppid), note: "" });
  writeFileSync(path, other);
  lock.release();
  expect(readFileSync(path, "utf8")).toBe(other);
});

test("the error names an unreadable lock file", () => {
  rmSync(path, { force: true });
  expect(() => readLockHolder(folder)).toThrow(`The lock file ${folder} cannot be read (EISDIR)`);
});

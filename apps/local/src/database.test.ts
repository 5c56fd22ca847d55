import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { embeddedDatabase } from "./database.ts";
import { type Part, Supervisor } from "./supervisor.ts";

const waitOptions = { timeout: 15_000, interval: 5 };

let folder = "";
let supervisor: Supervisor;
const pids: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-database-"));
  mkdirSync(join(folder, "logs"));
  supervisor = new Supervisor(() => {});
  pids.length = 0;
});
afterEach(async () => {
  await supervisor.stop();
  rmSync(folder, { recursive: true });
});

/** The database as a part, with its processes recorded. */
function database(): Part {
  const part = embeddedDatabase(
    folder,
    () => {},
    () => {},
  );
  return {
    ...part,
    start: (onSpawn, stopping) =>
      part.start((running) => {
        pids.push(running.pid);
        onSpawn(running);
      }, stopping),
  };
}

const partials = () => readdirSync(folder).filter((name) => name.includes(".partial"));

async function waitForInitdb(): Promise<void> {
  const isInitialising = () => partials().some((name) => existsSync(join(folder, name, "base/1")));
  await vi.waitFor(() => expect(isInitialising()).toBe(true), waitOptions);
}

function isGroupAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/** Waits, because an ended process keeps its id until its parent has reaped it. */
const expectEnded = () => vi.waitFor(() => expect(pids.some(isGroupAlive)).toBe(false), waitOptions);

test("a stop during database creation returns once no process and no file of it is left", async () => {
  const start = expect(supervisor.start(database())).rejects.toThrow(/abort/);
  await waitForInitdb();
  await supervisor.stop();
  await start;
  expect(pids).toHaveLength(1);
  await expectEnded();
  expect(readdirSync(folder)).toEqual(["logs"]);
});

test("a kill during database creation ends it at once", async () => {
  const start = expect(supervisor.start(database())).rejects.toThrow();
  await waitForInitdb();
  supervisor.kill();
  await start;
  expect(pids).toHaveLength(1);
  await expectEnded();
});

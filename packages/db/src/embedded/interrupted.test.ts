import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type DatabaseProcess, openEmbeddedPostgres } from "./index.ts";

const timeout = 60_000;
const waitOptions = { timeout: 15_000, interval: 5 };

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "stashlight-interrupted-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const partials = () => readdirSync(directory).filter((name) => name.includes(".partial"));

function isGroupAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/** Waits, because a process that has exited keeps its id until its parent reaps it. */
function expectEnded(spawned: DatabaseProcess[]): Promise<void> {
  return vi.waitFor(() => expect(spawned.some(({ pid }) => isGroupAlive(pid))).toBe(false), waitOptions);
}

async function expectUsable(): Promise<void> {
  const opened = await openEmbeddedPostgres({ directory, durability: "none" });
  try {
    const client = new pg.Client({ connectionString: opened.ownerUrl });
    await client.connect();
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await client.end();
    expect(partials()).toEqual([]);
  } finally {
    await opened.stop();
  }
}

test.each([
  ["initdb", 1],
  ["the program that creates the roles", 2],
  ["the server", 3],
])(
  "stopping while %s starts ends it and leaves nothing incomplete, and the next start works",
  {
    timeout,
  },
  async (_, wantedCount) => {
    const stop = new AbortController();
    const spawned: DatabaseProcess[] = [];
    const opening = openEmbeddedPostgres({
      directory,
      durability: "none",
      signal: stop.signal,
      onSpawn(process) {
        spawned.push(process);
        if (spawned.length === wantedCount) stop.abort();
      },
    });
    await expect(opening).rejects.toThrow(stop.signal.reason);
    expect(spawned).toHaveLength(wantedCount);
    await expectEnded(spawned);
    expect(partials()).toEqual([]);
    expect(existsSync(join(directory, "postgres"))).toBe(wantedCount === 3);
    await expectUsable();
  },
);

test("a stop during initdb ends the servers that initdb runs", { timeout }, async () => {
  const stop = new AbortController();
  const spawned: DatabaseProcess[] = [];
  const opening = openEmbeddedPostgres({
    directory,
    signal: stop.signal,
    onSpawn: (process) => spawned.push(process),
  });
  const isInitialising = () => partials().some((name) => existsSync(join(directory, name, "base/1")));
  await vi.waitFor(() => expect(isInitialising()).toBe(true), waitOptions);
  stop.abort();
  await expect(opening).rejects.toThrow(stop.signal.reason);
  expect(spawned).toHaveLength(1);
  await expectEnded(spawned);
  expect(readdirSync(directory)).toEqual([]);
});

test("opening a cluster starts no further process once it is stopped", { timeout }, async () => {
  const onSpawn = vi.fn();
  const opening = openEmbeddedPostgres({ directory, signal: AbortSignal.abort(), onSpawn });
  await expect(opening).rejects.toThrow(/abort/);
  expect(onSpawn).not.toHaveBeenCalled();
});

test("after kill -9 during initdb, the next start creates the database", { timeout }, async () => {
  const open = `import { openEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
    await openEmbeddedPostgres({ directory: ${JSON.stringify(directory)} });`;
  const starter = spawn(process.execPath, ["--input-type=module", "-e", open], { stdio: "inherit" });
  const isInitialising = () => partials().some((name) => existsSync(join(directory, name, "base/1")));
  await vi.waitFor(() => expect(isInitialising()).toBe(true), waitOptions);
  starter.kill("SIGKILL");
  await once(starter, "exit");
  expect(existsSync(join(directory, "postgres"))).toBe(false);
  await expectUsable();
});

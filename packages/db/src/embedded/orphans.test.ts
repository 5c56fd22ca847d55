import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "./index.ts";
import { endOrphans, findOrphans, type ProcessFacts } from "./orphans.ts";

const timeout = 60_000;
const here = "1:100";
const elsewhere = "1:200";
const backend: ProcessFacts = {
  pid: 50,
  parentPid: 1,
  program: "/opt/pg/bin/postgres",
  commandLine: "postgres: stashlight-0123: stashlight_runtime stashlight 127.0.0.1(4000) SELECT",
  workingDirectory: here,
};
const server: ProcessFacts = {
  ...backend,
  pid: 40,
  commandLine: "/opt/pg/bin/postgres\0-D\0/proc/self/cwd\0",
};

test.each<[string, boolean, ProcessFacts[]]>([
  ["a backend whose server is gone", true, [backend]],
  ["an orphan that a session manager has adopted", true, [{ ...backend, parentPid: 777 }]],
  [
    "an orphan whose program file was replaced meanwhile",
    true,
    [{ ...backend, program: "/opt/pg/bin/postgres (deleted)" }],
  ],
  [
    "a helper process of a server that is gone",
    true,
    [{ ...backend, commandLine: "postgres: checkpointer " }],
  ],
  ["a backend whose server runs", false, [server, { ...backend, parentPid: server.pid }]],
  ["a server, even without a parent", false, [server]],
  ["a backend of another data directory", false, [{ ...backend, workingDirectory: elsewhere }]],
  ["a process whose directory cannot be read", false, [{ ...backend, workingDirectory: undefined }]],
  ["a process whose program cannot be read", false, [{ ...backend, program: undefined }]],
  ["another program with that title", false, [{ ...backend, program: "/usr/bin/sleep" }]],
  ["a program whose name merely ends in postgres", false, [{ ...backend, program: "/usr/bin/notpostgres" }]],
  ["a psql in that directory", false, [{ ...backend, program: "/usr/bin/psql", commandLine: "psql\0" }]],
])("%s counts as an orphan: %s", (_, isEnded, processes) => {
  expect(findOrphans(processes, here).includes(processes.at(-1) as ProcessFacts)).toBe(isEnded);
});

/** A process that has exited keeps its id until its parent reaps it, but has no program. */
function runs(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== "";
  } catch {
    return false;
  }
}

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "stashlight-orphans-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function open(directory: string, log = (_: string) => {}): Promise<EmbeddedPostgres> {
  const opened = await openEmbeddedPostgres({ directory, durability: "none", log });
  onTestFinished(() => opened.stop());
  return opened;
}

/** Starts a query that computes forever: it never waits, so it does not notice that its server is gone. */
async function startEndlessQuery(url: string): Promise<{ pid: number }> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const pid = (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid as number;
  await client.query("SET statement_timeout = 0");
  client.query("DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$").catch(() => {});
  await vi.waitFor(async () => expect(await readSessionState(url, pid)).toBe("active"), { timeout: 10_000 });
  return { pid };
}

async function readSessionState(url: string, pid: number): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT state FROM pg_stat_activity WHERE pid = $1", [pid]);
    return rows[0]?.state;
  } finally {
    await client.end();
  }
}

test.runIf(process.platform === "linux")(
  "after a kill of the server alone during an endless query, the next start succeeds and ends the query",
  { timeout },
  async () => {
    const directory = folder();
    const first = await open(directory);
    const { pid } = await startEndlessQuery(first.ownerUrl);
    process.kill(first.pid, "SIGKILL");
    await first.exited;
    expect(runs(pid)).toBe(true);
    const said: string[] = [];
    const second = await open(directory, (line) => said.push(line));
    expect(runs(pid)).toBe(false);
    expect(said).toEqual([
      expect.stringMatching(/^Ending backends that a killed Postgres left behind \(process/),
    ]);
    expect(said[0]).toContain(String(pid));
    expect(await readSessionState(second.ownerUrl, pid)).toBeUndefined();
  },
);

test.runIf(process.platform === "linux")(
  "backends of another server or of a running one, and foreign processes in the folder, are left alone",
  { timeout },
  async () => {
    const [directory, other] = [folder(), folder()];
    const [ours, theirs] = [await open(directory), await open(other)];
    const queries = [await startEndlessQuery(ours.ownerUrl), await startEndlessQuery(theirs.ownerUrl)];
    const stranger = spawn("sleep", ["600"], {
      cwd: ours.dataDirectory,
      argv0: "postgres: stashlight-0123: nobody",
    });
    onTestFinished(() => void stranger.kill("SIGKILL"));
    await waitForSpawn(stranger);
    const said: string[] = [];
    await endOrphans(ours.dataDirectory, (line) => said.push(line));
    await endOrphans(other, (line) => said.push(line));
    expect(said).toEqual([]);
    expect(queries.map(({ pid }) => runs(pid))).toEqual([true, true]);
    expect(runs(stranger.pid as number)).toBe(true);
  },
);

function waitForSpawn(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headlineFigures, type PartState, partsFileName } from "@stashlight/contracts/health";
import { HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, expect, test, vi } from "vitest";
import type { Platform, PlatformOptions } from "../platform.ts";
import { staleAfterMs, startHeartbeat } from "../process/heartbeat.ts";
import { productVersion } from "../process/version.ts";
import { ensureSchedules } from "../schedule/ensure.ts";
import { useFreshInstallation } from "../testing/index.ts";
import { readHealth } from "./health-checks.ts";

const { installation, viewer } = useFreshInstallation("viewer");

beforeEach(async () => {
  await ensureSchedules(installation.platform);
});

async function check(id: string, options: Partial<PlatformOptions> = {}) {
  const platform = installation.anotherPlatform(options);
  const { checks } = await readHealth({ ctx: { ...viewer.ctx, platform } });
  return checks.find((each) => each.id === id);
}
const figure = (found: Awaited<ReturnType<typeof check>>, name: string) =>
  found?.figures.find((each) => each.name === name)?.value;
const fail = (error: unknown) => {
  throw error;
};
/** A heartbeat that was written once. */
async function beating(platform: Platform) {
  const heartbeat = startHeartbeat(platform, fail);
  await vi.waitFor(async () => expect(await platform.db.processHeartbeat.count()).toBe(1), {
    timeout: 10_000,
  });
  return heartbeat;
}
async function addRun(hoursAgo: number, state: "succeeded" | "failed" | "skipped", outcome = "words") {
  const plannedAt = new Date(installation.clock.now().getTime() - hoursAgo * HOUR_MS);
  const data = {
    scheduleId: "housekeeping",
    plannedAt,
    finishedAt: plannedAt,
    state,
    outcome,
    trigger: "schedule" as const,
  };
  await installation.platform.db.scheduleRun.create({ data });
}

test("the database check reports figures of its own server", async () => {
  const found = await check("database");
  expect(found).toMatchObject({ state: "good", sentence: "The database answers." });
  expect(figure(found, "Connections open")).toBeGreaterThanOrEqual(1);
  expect(figure(found, "Connections allowed")).toBeGreaterThan(1);
  expect(figure(found, "Size")).toBeGreaterThan(1_000_000);
});

test("every check with a result has the figure shown on its tile", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stashlight-health-"));
  const parts = JSON.stringify({ supervisorPid: process.pid, parts: [] });
  writeFileSync(join(dataDirectory, partsFileName), parts);
  const heartbeat = await beating(installation.anotherPlatform({ kind: "worker" }));
  try {
    const platform = installation.anotherPlatform({ dataDirectory });
    const { checks } = await readHealth({ ctx: { ...viewer.ctx, platform } });
    expect(checks.map(({ id, figures }) => [id, figures.map(({ name }) => name)])).toEqual(
      checks.map(({ id }) => [id, expect.arrayContaining([headlineFigures[id]])]),
    );
  } finally {
    await heartbeat.stop();
    rmSync(dataDirectory, { recursive: true });
  }
});

test("versions are those of this installation", async () => {
  const { versions } = await readHealth({ ctx: viewer.ctx });
  expect(versions).toMatchObject({ stashlight: productVersion, node: process.versions.node });
  expect(versions.postgres).toMatch(/^\d+/);
  expect(versions.schema).toMatch(/^\d{14}_/);
});

test("a worker is reported as missing, running, late, silent or ended", async () => {
  expect(await check("worker")).toMatchObject({
    state: "bad",
    sentence: expect.stringContaining("No worker"),
  });
  const heartbeat = await beating(installation.anotherPlatform({ kind: "worker" }));
  expect(await check("worker")).toMatchObject({ state: "good" });
  const { processes } = await readHealth({ ctx: viewer.ctx });
  expect(processes).toMatchObject([{ version: productVersion, rssBytes: expect.any(Number) }]);
  installation.clock.advance(staleAfterMs - 1);
  expect(await check("worker")).toMatchObject({
    state: "warning",
    sentence: expect.stringContaining("is late; it may have ended"),
  });
  installation.clock.advance(2);
  expect(await check("worker")).toMatchObject({
    state: "bad",
    sentence: expect.stringContaining("went silent"),
  });
  expect((await readHealth({ ctx: viewer.ctx })).processes).toEqual([]);
  await heartbeat.stop();
  expect(await check("worker")).toMatchObject({ sentence: expect.stringContaining("No worker") });
});

test("a console's heartbeat does not count as a worker's", async () => {
  const heartbeat = await beating(installation.platform);
  expect(await check("worker")).toMatchObject({ state: "bad" });
  await heartbeat.stop();
});

test.each([
  ["nothing ran", [], "good", "No job has run yet; benchmarks are not counted."],
  ["the last succeeded", [[1, "succeeded"]], "good", "The last job succeeded; benchmarks are not counted."],
  [
    "one failed before",
    [
      [1, "succeeded"],
      [2, "failed"],
    ],
    "warning",
    "Some jobs failed",
  ],
  [
    "one was skipped",
    [
      [1, "skipped"],
      [2, "succeeded"],
    ],
    "warning",
    "Some jobs failed or were skipped",
  ],
  [
    "the last failed",
    [
      [1, "failed"],
      [2, "succeeded"],
    ],
    "bad",
    "The last job failed: words",
  ],
  [
    "a failure of long ago",
    [
      [1, "succeeded"],
      [30, "failed"],
    ],
    "good",
    "The last job succeeded; benchmarks are not counted.",
  ],
] as const)("jobs are reported correctly: %s", async (_, runs, state, words) => {
  for (const [hoursAgo, runState] of runs) await addRun(hoursAgo, runState);
  expect(await check("jobs")).toMatchObject({ state, sentence: expect.stringContaining(words) });
});

test("a benchmark whose endpoint cannot be measured is not a failure of the product", async () => {
  await addRun(1, "failed");
  await installation.platform.db.schedule.updateMany({ data: { kind: "benchmark" } });
  expect(await check("jobs")).toMatchObject({
    state: "good",
    sentence: "No job has run yet; benchmarks are not counted.",
  });
});

test.each([
  ["no data folder", null, "unknown"],
  ["a folder with its disk", tmpdir(), expect.stringMatching(/good|warning|bad/)],
  ["a folder that is gone", "/no/such/folder", "bad"],
])("disk space is reported correctly: %s", async (_, dataDirectory, state) => {
  expect(await check("disk", { dataDirectory })).toMatchObject({ state });
});

const part = (name: string, more: Partial<PartState>): PartState => ({
  name,
  pid: 1,
  isReady: true,
  failureCount: 0,
  failingSinceMs: null,
  lastFailure: null,
  consequence: null,
  logFile: null,
  ...more,
});
const killed = { atMs: Date.UTC(2026, 0, 1), reason: "killed by SIGKILL" };
const failing = part("Worker", {
  failureCount: 4,
  failingSinceMs: killed.atMs,
  lastFailure: killed,
  consequence: "No alert is sent.",
  logFile: "/data/logs/worker.log",
  isReady: false,
});

test.each<[string, PartState[], string, string]>([
  ["none has failed", [part("Worker", {})], "good", "No process has failed since npm start."],
  [
    "one was restarted",
    [part("Worker", {}), part("Probe", { failureCount: 1, lastFailure: killed })],
    "good",
    "All processes are running; restarted since npm start: Probe.",
  ],
  [
    "one waits for its restart",
    [part("Probe", { failureCount: 1, lastFailure: killed, pid: null, isReady: false })],
    "warning",
    "Being restarted: Probe (killed by SIGKILL).",
  ],
  [
    "one keeps failing",
    [failing, part("Probe", {})],
    "bad",
    "Failing and restarted again and again: Worker (killed by SIGKILL). See /data/logs/worker.log. No alert is sent.",
  ],
  [
    "one keeps failing and runs now, and its reason names its log already",
    [{ ...failing, isReady: true, lastFailure: { ...killed, reason: "killed; see /data/logs/worker.log" } }],
    "bad",
    "Failing and restarted again and again: Worker (killed; see /data/logs/worker.log). It is running at the moment.",
  ],
])("supervision is reported correctly: %s", async (_, parts, state, sentence) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stashlight-health-"));
  try {
    writeFileSync(join(dataDirectory, partsFileName), JSON.stringify({ supervisorPid: process.pid, parts }));
    const found = await check("supervision", { dataDirectory });
    expect(found).toMatchObject({ state, sentence });
    expect(figure(found, "Processes")).toBe(parts.length);
  } finally {
    rmSync(dataDirectory, { recursive: true });
  }
});

test.each([
  [{ failingSinceMs: null }, "warning"],
  [{ failingSinceMs: killed.atMs }, "bad"],
])(
  "a worker that is being restarted does not count as running by its last heartbeat: %j",
  async (more, state) => {
    const dataDirectory = mkdtempSync(join(tmpdir(), "stashlight-health-"));
    const heartbeat = await beating(installation.anotherPlatform({ kind: "worker" }));
    try {
      const parts = [{ ...failing, ...more }];
      writeFileSync(
        join(dataDirectory, partsFileName),
        JSON.stringify({ supervisorPid: process.pid, parts }),
      );
      expect(await check("worker", { dataDirectory })).toMatchObject({
        state,
        sentence: expect.stringContaining("has failed and is being restarted"),
      });
    } finally {
      await heartbeat.stop();
      rmSync(dataDirectory, { recursive: true });
    }
  },
);

test("a part that keeps failing is reported with its count and times", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stashlight-health-"));
  try {
    const nowMs = installation.clock.now().getTime();
    const late = {
      ...failing,
      failingSinceMs: nowMs - 90_000,
      lastFailure: { ...killed, atMs: nowMs - 5_000 },
    };
    const state = { supervisorPid: process.pid, parts: [late] };
    writeFileSync(join(dataDirectory, partsFileName), JSON.stringify(state));
    const found = await check("supervision", { dataDirectory });
    expect(figure(found, "Worker, failures")).toBe(4);
    expect(figure(found, "Worker, failing for")).toBe(90);
    expect(figure(found, "Worker, last failure")).toBe(5);
  } finally {
    rmSync(dataDirectory, { recursive: true });
  }
});

test.each<[string, string | null]>([
  ["no data folder", null],
  ["a folder without a supervisor's file", ""],
  ["a file that was cut off", '{"supervisorPid": 1'],
  // No process has an id this large.
  ["a file whose supervisor has ended", JSON.stringify({ supervisorPid: 2 ** 30, parts: [failing] })],
])("supervision is unknown with %s", async (_, text) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stashlight-health-"));
  try {
    if (text) writeFileSync(join(dataDirectory, partsFileName), text);
    const found = await check("supervision", { dataDirectory: text === null ? null : dataDirectory });
    expect(found).toMatchObject({ state: "unknown", figures: [] });
  } finally {
    rmSync(dataDirectory, { recursive: true });
  }
});

test("the audit log is bad while the last housekeeping found its chain broken", async () => {
  expect(await check("audit")).toMatchObject({ state: "unknown" });
  await addRun(2, "failed", "The audit log is broken: Event 1 is missing.");
  expect(await check("audit")).toMatchObject({ state: "bad", sentence: expect.stringContaining("Event 1") });
  await addRun(1, "succeeded");
  expect(await check("audit")).toMatchObject({ state: "good" });
});

test("the audit check shows the time of the last verification, but not its result after three hours", async () => {
  await addRun(3, "succeeded");
  const found = await check("audit");
  expect(found).toMatchObject({ state: "good" });
  expect(figure(found, "Last checked")).toBe(3 * 3600);
  installation.clock.advance(1_000);
  const stale = await check("audit");
  expect(stale).toMatchObject({ state: "unknown", sentence: expect.stringContaining("for hours") });
  expect(figure(stale, "Last checked")).toBe(3 * 3600 + 1);
});

test("a housekeeping run that failed before the verification does not count", async () => {
  await addRun(1, "failed");
  const found = await check("audit");
  expect(found).toMatchObject({ state: "unknown" });
  expect(figure(found, "Last checked")).toBeUndefined();
});

test("a login that could change the log causes a warning with a remedy, and the product's own does not", async () => {
  await addRun(1, "succeeded");
  const own = await check("audit");
  expect(own).toMatchObject({ state: "good" });
  expect(own?.sentence).toContain("The audit log is append-only for this connection.");
  expect(figure(own, "Append-only")).toBe("yes");
  const { ownerUrl: databaseUrl } = installation.database;
  const shared = await check("audit", { databaseUrl });
  expect(shared).toMatchObject({
    state: "warning",
    sentence: expect.stringMatching(/^The database login ".+" .+; start with --runtime-database-url/),
  });
  expect(figure(shared, "Append-only")).toBe("no");
  await addRun(0, "failed", "The audit log is broken: Event 1 is missing.");
  expect(await check("audit", { databaseUrl })).toMatchObject({ state: "bad" });
});

test("if the log's owner also owns its head, a warning names the command to run", async () => {
  await addRun(1, "succeeded");
  const apart = await check("audit");
  expect(apart).toMatchObject({ state: "good" });
  expect(figure(apart, "Head kept by")).toBe("stashlight_auditor");
  await installation.asOwner(async (tx) => {
    await tx.$executeRaw`GRANT CREATE ON SCHEMA public TO stashlight_auditor`;
    await tx.$executeRaw`ALTER TABLE audit_event OWNER TO stashlight_auditor`;
  });
  expect(await check("audit")).toMatchObject({
    state: "warning",
    sentence: expect.stringMatching(
      /^The head of the audit log belongs to "stashlight_auditor", .* run CREATE ROLE/,
    ),
  });
});

test("a chain that was found broken stays bad, even after hours without another check", async () => {
  await addRun(5, "failed", "The audit log is broken: Event 1 is missing.");
  const found = await check("audit");
  expect(found).toMatchObject({ state: "bad" });
  expect(figure(found, "Last checked")).toBe(5 * 3600);
});

test("a failed check is bad, reveals nothing of its error, and does not affect the others", async () => {
  await installation.asOwner((tx) => tx.$executeRaw`REVOKE SELECT ON audit_seal FROM stashlight_app`);
  const health = await readHealth({ ctx: viewer.ctx });
  expect(health.checks.find(({ id }) => id === "audit")).toMatchObject({
    title: "Audit log",
    state: "bad",
    sentence: "This could not be checked; if that persists, check the database and its log.",
    figures: [],
  });
  expect(health.checks.find(({ id }) => id === "database")).toMatchObject({ state: "good" });
  expect(JSON.stringify(health)).not.toContain("permission denied");
});

test("unreadable versions and processes are gaps, and do not affect the checks", async () => {
  await addRun(1, "succeeded");
  await installation.asOwner((tx) => tx.$executeRaw`REVOKE SELECT ON _prisma_migrations FROM stashlight_app`);
  const health = await readHealth({ ctx: viewer.ctx });
  expect(health.versions).toMatchObject({ postgres: expect.stringMatching(/^\d+/), schema: "unknown" });
  expect(health.processes).toEqual([]);
  await installation.asOwner((tx) => tx.$executeRaw`REVOKE SELECT ON process_heartbeat FROM stashlight_app`);
  const { checks, processes } = await readHealth({ ctx: viewer.ctx });
  expect(processes).toBeNull();
  const states = Object.fromEntries(checks.map(({ id, state }) => [id, state]));
  expect(states).toMatchObject({ database: "good", jobs: "good", worker: "bad", audit: "good" });
});

test("without the database the page still shows the result of each check", async () => {
  const databaseUrl = Object.assign(new URL(installation.database.runtimeUrl), { port: "1" }).href;
  const platform = installation.anotherPlatform({ databaseUrl, dataDirectory: tmpdir() });
  const { checks, versions, processes } = await readHealth({ ctx: { ...viewer.ctx, platform } });
  const bad = checks.filter(({ sentence }) => sentence.startsWith("This could not be checked"));
  expect(bad.map(({ id }) => id)).toEqual(["database", "worker", "jobs", "audit"]);
  expect(versions).toMatchObject({ stashlight: productVersion, postgres: "unknown", schema: "unknown" });
  expect(processes).toBeNull();
});

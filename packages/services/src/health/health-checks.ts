/** State of the installation: each check covers one subject and reports its result in a sentence. */

import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import {
  type HealthCheck,
  type HealthState,
  headlineFigures,
  type SystemHealth,
  workerPartName,
} from "@stashlight/contracts/health";
import { DAY_MS } from "@stashlight/contracts/time";
import { allNamed } from "../all-named.ts";
import { type Context, requireRole } from "../context.ts";
import type { Core } from "../core.ts";
import { lateAfterMs, staleAfterMs } from "../process/heartbeat.ts";
import { productVersion } from "../process/version.ts";
import { checkAudit } from "./audit.ts";
import type { Finding } from "./finding.ts";
import { checkSupervision, readPartsAway } from "./supervision.ts";

const diskFreeWarningBytes = 5e9;
const diskFreeBadBytes = 1e9;

export async function readHealth({ ctx }: { ctx: Context }): Promise<SystemHealth> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  return allNamed({
    checks: Promise.all([
      check(platform, "database", "Database", checkDatabase),
      check(platform, "worker", "Worker", checkWorker),
      check(platform, "jobs", "Jobs", checkJobs),
      check(platform, "disk", "Disk", checkDisk),
      check(platform, "audit", "Audit log", checkAudit),
      check(platform, "supervision", "Supervision", checkSupervision),
    ]),
    versions: readVersions(platform),
    // A value that cannot be read is a gap on the page, and must not hide the results of the checks.
    processes: liveProcesses(platform).catch(() => null),
  });
}

async function check(
  platform: Core,
  id: HealthCheck["id"],
  title: string,
  look: (platform: Core) => Promise<Finding>,
): Promise<HealthCheck> {
  const finding = await look(platform).catch(
    (): Finding => ({
      state: "bad",
      sentence: "This could not be checked; if that persists, check the database and its log.",
      figures: [],
    }),
  );
  return { id, title, ...finding, checkedAt: platform.now() };
}

async function checkDatabase(platform: Core): Promise<Finding> {
  const startedAtMs = performance.now();
  const rows = await platform.db.$queryRaw<{ bytes: bigint; open: bigint; max: number }[]>`
    SELECT pg_database_size(current_database()) AS bytes,
           (SELECT sum(numbackends) FROM pg_stat_database) AS open,
           current_setting('max_connections')::int AS max`;
  const roundTripMs = performance.now() - startedAtMs;
  const { bytes, open, max } = rows[0] ?? { bytes: 0n, open: 0n, max: 0 };
  const crowded = Number(open) > 0.8 * max;
  return {
    state: crowded ? "warning" : "good",
    sentence: crowded
      ? `Most of the database's connections are in use (${open} of ${max}); raise max_connections.`
      : "The database answers.",
    figures: [
      { name: headlineFigures.database, value: roundTripMs, unit: "milliseconds" },
      { name: "Size", value: Number(bytes), unit: "bytes" },
      { name: "Connections open", value: Number(open), unit: "count" },
      { name: "Connections allowed", value: max, unit: "count" },
    ],
  };
}

async function liveProcesses(platform: Core): Promise<NonNullable<SystemHealth["processes"]>> {
  const rows = await platform.db.processHeartbeat.findMany({
    where: { seenAt: { gt: new Date(platform.now().getTime() - staleAfterMs) } },
    orderBy: [{ kind: "asc" }, { startedAt: "asc" }],
  });
  return rows.map((row) => ({
    name: `${row.kind} · ${row.host} · ${row.pid}`,
    version: row.version,
    startedAt: row.startedAt,
    seenAt: row.seenAt,
    rssBytes: Number(row.rssBytes),
  }));
}

async function checkWorker(platform: Core): Promise<Finding> {
  const last = await platform.db.processHeartbeat.findFirst({
    where: { kind: "worker" },
    orderBy: { seenAt: "desc" },
  });
  if (last === null) {
    return { state: "bad", sentence: "No worker is running; jobs wait until one starts.", figures: [] };
  }
  const ageSeconds = Math.max(0, (platform.now().getTime() - last.seenAt.getTime()) / 1000);
  const figures: Finding["figures"] = [
    { name: headlineFigures.worker, value: ageSeconds, unit: "seconds-ago" },
  ];
  return { ...(await judgeWorker(platform, last.host, ageSeconds * 1000)), figures };
}

/** A heartbeat proves that the worker ran when it was sent; `npm start` may know that it has ended since. */
async function judgeWorker(
  { options }: Core,
  host: string,
  ageMs: number,
): Promise<Omit<Finding, "figures">> {
  const away = host === hostname() ? await readPartsAway(options).catch(() => null) : null;
  const worker = away?.find(({ name }) => name === workerPartName);
  if (worker !== undefined) {
    const state = worker.failingSinceMs === null ? "warning" : "bad";
    return { state, sentence: `The worker on ${host} has failed and is being restarted.` };
  }
  if (ageMs > staleAfterMs) {
    return { state: "bad", sentence: `The worker on ${host} went silent; start it again.` };
  }
  return ageMs > lateAfterMs
    ? {
        state: "warning",
        sentence: `The next heartbeat of the worker on ${host} is late; it may have ended.`,
      }
    : { state: "good", sentence: "A worker is running." };
}

/** An endpoint that cannot be measured is no evidence about the product; the benchmark pages report it. */
const ofTheProduct = { schedule: { kind: { not: "benchmark" } } };

async function checkJobs(platform: Core): Promise<Finding> {
  const since = new Date(platform.now().getTime() - DAY_MS);
  const runs = await platform.db.scheduleRun.groupBy({
    by: ["state"],
    where: { ...ofTheProduct, plannedAt: { gte: since } },
    _count: { _all: true },
  });
  const count = (state: string) => runs.find((row) => row.state === state)?._count._all ?? 0;
  const latest = await platform.db.scheduleRun.findFirst({
    where: { ...ofTheProduct, state: { in: ["succeeded", "failed"] } },
    orderBy: { plannedAt: "desc" },
  });
  const failedLast = latest?.state === "failed";
  const state: HealthState = failedLast ? "bad" : count("failed") + count("skipped") > 0 ? "warning" : "good";
  const sentences: Record<string, string> = {
    bad: `The last job failed: ${(latest?.outcome ?? "no reason was recorded").replace(/\.$/, "")}.`,
    warning:
      "Some jobs failed or were skipped in the last 24 hours; the jobs page shows why. Benchmarks are not counted.",
    good: `${latest === null ? "No job has run yet" : "The last job succeeded"}; benchmarks are not counted.`,
  };
  return {
    state,
    sentence: sentences[state] ?? "",
    figures: [
      { name: headlineFigures.jobs, value: count("succeeded"), unit: "count" },
      { name: "Failed, 24 h", value: count("failed"), unit: "count" },
      { name: "Skipped, 24 h", value: count("skipped"), unit: "count" },
    ],
  };
}

async function checkDisk(platform: Core): Promise<Finding> {
  const folder = platform.options.dataDirectory;
  if (folder === null) {
    return {
      state: "unknown",
      sentence: "This console keeps nothing on disk; watch the database server's disk.",
      figures: [],
    };
  }
  const space = await statfs(folder).catch(() => null);
  if (space === null) {
    return {
      state: "bad",
      sentence: `The data folder ${folder} cannot be read; reconnect its disk or fix its permissions.`,
      figures: [],
    };
  }
  const { bavail, blocks, bsize } = space;
  const freeBytes = bavail * bsize;
  const state = freeBytes < diskFreeBadBytes ? "bad" : freeBytes < diskFreeWarningBytes ? "warning" : "good";
  return {
    state,
    sentence:
      state === "good"
        ? "The data folder's disk has free space."
        : "The data folder's disk is nearly full; free space on it.",
    figures: [
      { name: headlineFigures.disk, value: freeBytes, unit: "bytes" },
      { name: "Capacity", value: blocks * bsize, unit: "bytes" },
    ],
  };
}

async function readVersions({ db }: Core): Promise<SystemHealth["versions"]> {
  const { postgres, schema } = await allNamed({
    postgres: readServerVersion(db.$queryRaw`SELECT current_setting('server_version') AS version`),
    schema: readServerVersion(db.$queryRaw`SELECT migration_name AS version FROM _prisma_migrations
      WHERE finished_at IS NOT NULL ORDER BY started_at DESC LIMIT 1`),
  });
  return { stashlight: productVersion, node: process.versions.node, postgres, schema };
}

async function readServerVersion(query: Promise<{ version: string }[]>): Promise<string> {
  const rows = await query.catch(() => []);
  return rows[0]?.version ?? "unknown";
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "@stashlight/contracts/time";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { writeAudit } from "../audit/write.ts";
import { ensureSchedules } from "../schedule/ensure.ts";
import { auditEvents, createSession, useSharedInstallation } from "../testing/index.ts";
import { runHousekeeping } from "./run.ts";

const { installation, admin } = useSharedInstallation("admin");

beforeAll(async () => {
  await ensureSchedules(installation.platform);
});

const daysAgo = (days: number) => new Date(installation.clock.now().getTime() - days * DAY_MS);

test("expired rows are deleted, and the rest is kept", async () => {
  const { db } = installation.platform;
  const scheduleId = "housekeeping";
  const link = { purpose: "invitation", email: "a@example.org" } as const;
  const beat = { kind: "worker", host: "h", pid: 1, version: "1", rssBytes: 1n, startedAt: daysAgo(3) };
  const run = { scheduleId, trigger: "schedule", state: "succeeded" } as const;
  const counter = { requestCount: 1, windowStartedAt: daysAgo(1) };
  await createSession(db, admin.userId, daysAgo(2));
  for (const [id, days] of [
    ["old", 1],
    ["new", -1],
  ] as const) {
    await db.verification.create({ data: { id, identifier: id, value: "v", expiresAt: daysAgo(days) } });
    await db.rateLimit.create({ data: { ...counter, key: id, windowEndsAt: daysAgo(days) } });
    await db.oneTimeLink.create({ data: { ...link, id, tokenHash: id, expiresAt: daysAgo(90 * days + 1) } });
    await db.processHeartbeat.create({ data: { ...beat, id, seenAt: daysAgo(days) } });
    await db.scheduleRun.create({ data: { ...run, plannedAt: daysAgo(365 * days + 1) } });
  }
  expect(await runHousekeeping(installation.platform)).toMatch(/^Deleted 5 expired rows \(1 sessions\)/);
  const left = await Promise.all([
    db.verification.findMany(),
    db.oneTimeLink.findMany(),
    db.processHeartbeat.findMany(),
  ]);
  expect(left.map((rows) => rows.map(({ id }) => id))).toEqual([["new"], ["new"], ["new"]]);
  expect(await db.rateLimit.findMany()).toMatchObject([{ key: "new" }]);
  expect(await db.scheduleRun.count()).toBe(1);
  expect(await db.session.count()).toBe(1);
});

test("a succeeded roll-up is kept for a week, and a failed one like any other run", async () => {
  const { db } = installation.platform;
  const run = { scheduleId: "metric-roll-up", trigger: "schedule" } as const;
  await db.scheduleRun.createMany({
    data: [
      { ...run, state: "succeeded", plannedAt: daysAgo(8) },
      { ...run, state: "succeeded", plannedAt: daysAgo(6) },
      { ...run, state: "failed", plannedAt: daysAgo(9) },
    ],
  });
  await runHousekeeping(installation.platform);
  const left = await db.scheduleRun.findMany({
    where: { scheduleId: run.scheduleId },
    orderBy: { plannedAt: "asc" },
  });
  expect(left.map(({ state, plannedAt }) => [state, plannedAt])).toEqual([
    ["failed", daysAgo(9)],
    ["succeeded", daysAgo(6)],
  ]);
});

test("the head of a log is recorded in the data folder only if the log is intact", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stashlight-housekeeping-"));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  const platform = installation.anotherPlatform({ dataDirectory });
  const lines = () => readFileSync(join(dataDirectory, "audit-seals.jsonl"), "utf8").trimEnd().split("\n");
  await platform.db.$transaction((tx) => writeAudit(tx, admin.ctx, { action: "user.enabled" }));
  expect(await runHousekeeping(platform)).toMatch(/verified \d+ audit events, wrote the seal file\.$/);
  expect(await runHousekeeping(platform)).toMatch(/verified \d+ audit events\.$/);
  expect(lines()).toHaveLength(1);
  await platform.db.$transaction((tx) => writeAudit(tx, admin.ctx, { action: "user.enabled" }));
  const name = "UPDATE audit_event SET actor_name = $1 WHERE sequence = 1";
  const [event] = await auditEvents(platform);
  await installation.asOwner((tx) => tx.$executeRawUnsafe(name, "Mallory"));
  await expect(runHousekeeping(platform)).rejects.toThrow("Event 1 is not what was written");
  expect(lines()).toHaveLength(1);
  await installation.asOwner((tx) => tx.$executeRawUnsafe(name, event?.actorName));
});

test("finished days are sealed, and a broken chain is a failure that names the place", async () => {
  const { db } = installation.platform;
  await db.$transaction((tx) => writeAudit(tx, admin.ctx, { action: "user.enabled" }));
  installation.clock.advance(DAY_MS);
  expect(await runHousekeeping(installation.platform)).toMatch(/sealed 1 days, verified 3 audit events\.$/);
  await installation.asOwner((tx) => tx.$executeRaw`UPDATE audit_event SET actor_name = 'Mallory'`);
  await expect(runHousekeeping(installation.platform)).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining("Event 1 is not what was written"),
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { writeAudit } from "../audit/write.ts";
import { ensureSchedules } from "../index.ts";
import { createSession, openTestInstallation, type Person, type TestInstallation } from "../testing/index.ts";
import { runHousekeeping } from "./run.ts";

const dayMs = 86_400_000;
let installation: TestInstallation;
let admin: Person;

beforeAll(async () => {
  installation = await openTestInstallation();
  admin = await installation.person("admin");
  await ensureSchedules(installation.platform);
});
afterAll(() => installation.close());

const daysAgo = (days: number) => new Date(installation.clock.now().getTime() - days * dayMs);

test("what has expired is deleted and what has not is kept", async () => {
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

test("finished days are sealed, and a broken chain is a failure that says where", async () => {
  const { db } = installation.platform;
  await db.$transaction((tx) => writeAudit(tx, admin.ctx, { action: "user.enabled" }));
  installation.clock.advance(dayMs);
  expect(await runHousekeeping(installation.platform)).toMatch(/sealed 1 days, verified 1 audit events\.$/);
  await installation.asOwner((tx) => tx.$executeRaw`UPDATE audit_event SET actor_name = 'Mallory'`);
  await expect(runHousekeeping(installation.platform)).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining("Event 1 is not what was written"),
  });
});

import { createChannelInput } from "@stashlight/contracts/alert";
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from "@stashlight/contracts/time";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createChannel } from "../channel/create.ts";
import { leaseMs, waitMs } from "../channel/deliver.ts";
import { newId } from "../ids.ts";
import { prepareMetricStore } from "../metrics/roll-up/retention.ts";
import { runRollUp } from "../metrics/roll-up/roll-up.ts";
import { allowOutboundNetwork } from "../outbound/networks.ts";
import { ensureSchedules } from "../schedule/ensure.ts";
import { executeRun } from "../schedule/execute.ts";
import { planDueRuns } from "../schedule/plan-due.ts";
import { accept, auditEvents, createTestNode, type Person, useFreshInstallation } from "../testing/index.ts";
import { type MailServer, openMailServer } from "../testing/mail-server.ts";
import { disableUser } from "../user/disable.ts";
import { deliverWeeklyReports } from "./deliver.ts";
import { prepareWeeklyReport } from "./prepare.ts";
import { sendWeeklyReportNow } from "./send-now.ts";
import { getWeeklyReport, subscribeWeeklyReport } from "./settings.ts";

/** A Monday, half an hour before the report is due in Berlin. */
const monday = new Date("2026-11-23T06:30:00Z");
const scheduleId = "weekly-report";
const { installation } = useFreshInstallation();
let admin: Person;
let ada: Person;
let mail: MailServer;

beforeEach(async () => {
  installation.clock.set(monday);
  admin = await installation.person("admin", "Root");
  ada = await installation.person("viewer", "Ada");
  mail = await openMailServer();
  await allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: "127.0.0.0/8" } });
  await ensureSchedules(installation.platform, "Europe/Berlin");
});
afterEach(async () => {
  await mail.close();
});

async function makeChannel(): Promise<void> {
  const config = {
    kind: "email",
    host: "127.0.0.1",
    port: mail.port,
    security: "none",
    from: "stashlight@example.org",
    to: ["everybody@example.org"],
  };
  const input = createChannelInput.parse({ name: "Ops mail", config });
  await createChannel({ ctx: admin.ctx, input });
}
const subscribe = (person: Person, isWanted = true) =>
  subscribeWeeklyReport({ ctx: person.ctx, input: { isWanted } });
const settings = () => getWeeklyReport({ ctx: ada.ctx });

const once = { attempt: 1, attemptsMax: 1 };
/** Does the work of a worker without its queue; returns the number of due runs. */
async function work(platform = installation.platform): Promise<number> {
  await planDueRuns(platform, () => 0);
  const queued = await platform.db.scheduleRun.findMany({ where: { scheduleId, state: "queued" } });
  for (const { plannedAt } of queued) {
    const name = { scheduleId, plannedAt: plannedAt.toISOString() };
    await executeRun(platform, name, { ...once, weeklyReport: () => prepareWeeklyReport(platform) });
  }
  await deliverWeeklyReports(platform);
  return queued.length;
}
const runs = () =>
  installation.platform.db.scheduleRun.findMany({ where: { scheduleId }, orderBy: { plannedAt: "asc" } });

test("each subscriber gets the report once on Monday at 8 in the installation's time zone, even with two workers", async () => {
  await makeChannel();
  await subscribe(ada);
  const another = installation.anotherPlatform();
  await work();
  expect(mail.letters).toEqual([]);
  installation.clock.advance(HOUR_MS / 2);
  await Promise.all([work(), work(another)]);
  await Promise.all([work(another), work()]);
  installation.clock.advance(MINUTE_MS);
  await Promise.all([work(), work(another)]);
  expect(mail.letters.map(({ to }) => to)).toEqual([[ada.email]]);
  const text = mail.letters[0]?.text ?? "";
  expect(text).toContain("Subject: Stashlight, 16 to 22 November 2026");
  expect(text).toContain("Content-Type: text/plain");
  expect(text).toContain("Content-Type: text/html");
  expect(text).toMatch(/Message-ID:\s+<weekly\.2026-11-16\./i);
  expect((await settings()).last).toMatchObject({ week: "2026-11-16", lastError: null });
  installation.clock.advance(WEEK_MS);
  await work();
  expect(mail.letters).toHaveLength(2);
  expect(mail.letters[1]?.text).toContain("23 to 29 November 2026");
});

test("if no worker ran on Monday, last week's report is sent once at the next start", async () => {
  await makeChannel();
  await subscribe(ada);
  installation.clock.advance(2 * WEEK_MS + 2 * DAY_MS);
  await work();
  await work();
  expect((await runs()).map(({ state }) => state)).toEqual(["skipped", "skipped", "succeeded"]);
  expect(mail.letters).toHaveLength(1);
  expect(mail.letters[0]?.text).toContain("30 November to 6 December 2026");
});

test("a mail server that refuses is retried with the same e-mail", async () => {
  await makeChannel();
  await subscribe(ada);
  mail.refusalCount = 2;
  installation.clock.advance(HOUR_MS);
  await work();
  expect((await settings()).last).toMatchObject({
    deliveredAt: null,
    lastError: expect.stringContaining("did not accept the message"),
  });
  for (const attempts of [1, 2, 3]) {
    installation.clock.advance(waitMs(attempts));
    await work();
  }
  expect(mail.letters).toHaveLength(1);
  expect((await settings()).last).toMatchObject({ deliveredAt: expect.any(Date), lastError: null });
});

test("reports that a worker took but did not finish are sent by another once the lease has ended", async () => {
  await makeChannel();
  await subscribe(ada);
  const { db } = installation.platform;
  await db.weeklyReport.create({
    data: { week: "2026-11-16", subject: "S", text: "T", html: "H", createdAt: monday },
  });
  const nextAttemptAt = new Date(monday.getTime() + leaseMs);
  await db.weeklyReportDelivery.create({
    data: { week: "2026-11-16", userId: ada.userId, state: "waiting", attempts: 1, nextAttemptAt },
  });
  await deliverWeeklyReports(installation.platform);
  expect(mail.letters).toEqual([]);
  installation.clock.advance(leaseMs);
  await deliverWeeklyReports(installation.anotherPlatform());
  expect(mail.letters).toHaveLength(1);
});

test("users who did not subscribe, unsubscribed or were disabled do not get the report", async () => {
  await makeChannel();
  const bob = await installation.person("viewer", "Bob");
  await subscribe(ada);
  await subscribe(ada, false);
  await subscribe(bob);
  await disableUser({ ctx: admin.ctx, input: { userId: bob.userId } });
  installation.clock.advance(HOUR_MS);
  await work();
  expect(mail.letters).toEqual([]);
  expect((await runs()).at(-1)?.outcome).toBe("The weekly report has no subscribers.");
  const actions = (await auditEvents(installation.platform)).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith("weekly_report"))).toEqual([
    "weekly_report.subscribed",
    "weekly_report.unsubscribed",
    "weekly_report.subscribed",
  ]);
});

test("the e-mail contains the data of the two weeks, without simulated vaults", async () => {
  await makeChannel();
  const { platform } = installation;
  const drive = { tier: "stash", device: "s1" };
  const values = (seconds: number) => Array.from({ length: 1_200 }, () => seconds);
  const node = await createTestNode(platform, "stash-1", false, "main");
  const simulated = await createTestNode(platform, "stash-9", true, "made-up");
  const week = new Date("2026-11-16T00:00:00Z").getTime();
  const measured = (endMs: number, seconds: number) =>
    node.batch({
      endMs,
      histograms: [
        ["stashlight_fsync_seconds", drive, values(seconds)],
        ["stashlight_upload_seconds", { path: "stash", size_class: "to-256KiB" }, values(seconds)],
      ],
      gauges: [
        ["stashlight_stash_live_bytes", { stash: "stash-1", device: "s1" }, 5],
        ["stashlight_stash_capacity_bytes", { stash: "stash-1", device: "s1" }, 20],
      ],
    });
  for (const [endMs, seconds] of [
    [week - DAY_MS, 0.01],
    [week + DAY_MS, 0.03],
  ] as const) {
    installation.clock.set(new Date(endMs));
    await prepareMetricStore(platform);
    await accept(
      platform,
      measured(endMs, seconds),
      simulated.batch({ endMs, histograms: [["stashlight_fsync_seconds", drive, values(seconds)]] }),
    );
    installation.clock.advance(HOUR_MS);
    await runRollUp(platform);
  }
  await platform.db.alertEvent.createMany({
    data: (["firing", "resolved"] as const).map((kind, index) => ({
      id: newId(),
      firingEventId: newId(),
      ruleName: "Slow fsync",
      severity: "warning",
      kind,
      group: "[]",
      labels: { vault: "main" },
      summary: "",
      mutedBy: null,
      occurredAt: new Date(week + DAY_MS + index * HOUR_MS),
    })),
  });
  installation.clock.set(new Date(monday.getTime() + HOUR_MS));
  await sendWeeklyReportNow({ ctx: ada.ctx });
  const text = (mail.letters[0]?.text ?? "").replaceAll(/=\r?\n/g, "");
  expect(text).toContain("Slow fsync in main (warning): once, 1 h in all.");
  expect(text).toMatch(/fsync, main \/ stash-1 \/ s1: p99 \S+ ms \(n 1,200\) against \S+ ms \(n 1,200\)/);
  expect(text).toMatch(/Uploads, main stash: p99 .*, [23](\.\d+)? times\./);
  expect(text).toMatch(/Stash of main: 25 % full, no forecast: nothing was reported for \S+ (hours|days)\./);
  expect(text).not.toContain("made-up");
});

test("last week's report is sent at once to the user who requests it, and only to them", async () => {
  await expect(sendWeeklyReportNow({ ctx: ada.ctx })).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining("no e-mail channel"),
  });
  expect((await settings()).channelName).toBeNull();
  await makeChannel();
  expect(await sendWeeklyReportNow({ ctx: ada.ctx })).toEqual({ week: "2026-11-16" });
  expect(mail.letters.map(({ to }) => to)).toEqual([[ada.email]]);
  expect(await settings()).toMatchObject({
    isWanted: false,
    channelName: "Ops mail",
    timeZone: "Europe/Berlin",
    last: null,
    nextAt: new Date("2026-11-23T07:00:00Z"),
  });
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "weekly_report.sent",
    actorId: ada.userId,
    after: { week: "2026-11-16" },
  });
});

test("repeated requests are rate limited", async () => {
  await makeChannel();
  for (let count = 0; count < 3; count += 1) await sendWeeklyReportNow({ ctx: ada.ctx });
  await installation.platform.db.rateLimit.updateMany({ data: { requestCount: 5 } });
  await expect(sendWeeklyReportNow({ ctx: ada.ctx })).rejects.toMatchObject({ code: "rate_limited" });
  expect(mail.letters).toHaveLength(3);
});

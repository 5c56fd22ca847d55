import { DAY_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { auditEvents, type TestInstallation, useSharedInstallation } from "../testing/index.ts";
import { issueReport, listReportLinks, readReport, revokeReportLink } from "./links.ts";

const { installation } = useSharedInstallation();
let operator: Awaited<ReturnType<TestInstallation["person"]>>;
let viewer: typeof operator;
beforeAll(async () => {
  operator = await installation.person("operator");
  viewer = await installation.person("viewer");
});
beforeEach(async () => {
  await installation.platform.db.reportLink.deleteMany();
  // Requests of readers per minute.
  installation.clock.advance(MINUTE_MS);
});

const issue = (lifetimeDays: number, ctx = operator.ctx) =>
  issueReport(ctx, "plan", {
    title: "For the board",
    subjectName: "Spring",
    lifetimeDays,
    document: { figure: 7 },
    createdAt: installation.platform.now(),
  });
const tokenIn = ({ url }: { readonly url: string }): string => url.split("#")[1] ?? "";
const column = { read: (stored: unknown) => stored as { figure: number } };
const read = (token: string, kind: "plan" | "benchmark" = "plan") =>
  readReport(installation.nobody, kind, token, column);
const isOpen = async () =>
  (await listReportLinks({ ctx: viewer.ctx, input: { kind: "plan" } })).map((link) => link.isOpen);

test.each([1, 30, 365])(
  "a link of %i days is open until its last moment, and never afterwards",
  async (days) => {
    const issuedMs = installation.platform.now().getTime();
    const link = await issue(days);
    expect(link.expiresAt.getTime()).toBe(issuedMs + days * DAY_MS);
    installation.clock.set(new Date(link.expiresAt.getTime() - 1));
    expect(await read(tokenIn(link))).toMatchObject({ figure: 7, expiresAt: link.expiresAt });
    expect(await isOpen()).toEqual([true]);
    installation.clock.set(link.expiresAt);
    await expect(read(tokenIn(link))).rejects.toMatchObject({ code: "link_expired" });
    expect(await isOpen()).toEqual([false]);
  },
);

test("unknown and revoked links, and those of another kind, get the same answer", async () => {
  const revoked = await issue(30);
  await revokeReportLink({ ctx: operator.ctx, input: { kind: "plan", reportId: revoked.reportId } });
  const open = await issue(30);
  const answers = await Promise.all(
    [read(tokenIn(revoked)), read(tokenIn(open), "benchmark"), read("x".repeat(43)), read("")].map((each) =>
      each.catch(({ code, message }) => ({ code, message })),
    ),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ code: "link_expired" });
  expect(await read(tokenIn(open))).toMatchObject({ figure: 7 });
});

test("only operators issue and revoke links, and only signed-in people see the list", async () => {
  await expect(issue(30, viewer.ctx)).rejects.toMatchObject({ code: "forbidden" });
  await expect(issue(30, installation.nobody)).rejects.toMatchObject({ code: "unauthenticated" });
  const { reportId } = await issue(30);
  const input = { kind: "plan", reportId } as const;
  await expect(revokeReportLink({ ctx: viewer.ctx, input })).rejects.toMatchObject({ code: "forbidden" });
  await expect(revokeReportLink({ ctx: installation.nobody, input })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  await expect(listReportLinks({ ctx: installation.nobody, input: { kind: "plan" } })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  expect(await isOpen()).toEqual([true]);
});

test("revoking a link again changes and logs nothing", async () => {
  const { reportId } = await issue(30);
  const revoke = () => revokeReportLink({ ctx: operator.ctx, input: { kind: "plan", reportId } });
  await revoke();
  const [before] = await installation.platform.db.reportLink.findMany();
  const eventCount = (await auditEvents(installation.platform)).length;
  installation.clock.advance(MINUTE_MS);
  await revoke();
  expect(await installation.platform.db.reportLink.findMany()).toEqual([before]);
  expect(await auditEvents(installation.platform)).toHaveLength(eventCount);
});

test("a client address may request at most 60 reports per minute, so that tokens cannot be guessed", async () => {
  const token = tokenIn(await issue(30));
  const codes = new Map<string, number>();
  for (let count = 0; count < 61; count += 1) {
    const code = await read("y".repeat(43)).catch((error: { code: string }) => error.code);
    codes.set(code as string, (codes.get(code as string) ?? 0) + 1);
  }
  expect(Object.fromEntries(codes)).toEqual({ link_expired: 60, rate_limited: 1 });
  await expect(read(token)).rejects.toMatchObject({ code: "rate_limited" });
  installation.clock.advance(MINUTE_MS);
  expect(await read(token)).toMatchObject({ figure: 7 });
});

import { DAY_MS } from "@stashlight/contracts/time";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { listReportLinks, revokeReportLink } from "../report-link/links.ts";
import { auditEvents, type Person, useSharedInstallation } from "../testing/index.ts";
import { createScenario } from "./create-scenario.ts";
import { deleteScenario } from "./delete-scenario.ts";
import { getScenario, listScenarios } from "./list-scenarios.ts";
import { renameScenario } from "./rename-scenario.ts";
import { readPlanReport, sharePlan } from "./reports.ts";
import { setDefaultScenario } from "./set-default-scenario.ts";
import { updateScenario } from "./update-scenario.ts";

const input = {
  dataShards: 16,
  parityShards: 4,
  objects: [{ bytes: 256_000, share: 1 }],
  recordHeaderBytes: 96,
  recordAlignBytes: 64,
  uploadsPerSecond: 2000,
  peakFactor: 3,
  growthPerYear: 0.3,
  horizonYears: 1,
  residenceSecondsMean: 30,
  residenceSecondsP99: 120,
  outageSeconds: 3600,
  usableFraction: 0.95,
  maxFill: 0.7,
  maxUtilisation: 0.6,
  logWriteAmplification: 1.1,
  deviceWriteAmplificationRatio: 1,
  writesPerShard: 1,
  purgeWritesPerShard: 0.1,
  shardsPerCommit: 8,
  serviceYears: 5,
  drivesPerServer: 10,
  serverFailuresTolerated: 1,
  serverPriceUsd: 3000,
  drive: {
    name: "Micron 7450 MAX",
    capacityBytes: 3.2e12,
    writeBytesPerSecond: 5.3e9,
    writeIops: 390_000,
    fsyncPerSecond: 20_000,
    driveWritesPerDay: 3,
    warrantyYears: 5,
    priceUsd: 360,
  },
  installed: null,
};
const ranges = [{ variable: "uploadsPerSecond", shape: "triangular", low: 1500, mode: 2000, high: 4000 }];
const asked = { note: "For spring", input, ranges, aroundShare: 0.3, loadMeasuredSeconds: 1800 };

const { installation, viewer } = useSharedInstallation("viewer");
let operator: Person;

beforeAll(async () => {
  operator = await installation.person("operator", "Ada");
});
beforeEach(() => installation.platform.db.planScenario.deleteMany());

const create = (name: string) => createScenario({ ctx: operator.ctx, input: { name, ...asked } });
const actions = async (count: number) =>
  (await auditEvents(installation.platform)).slice(-count).map(({ action }) => action);

test("a plan is stored unchanged, and every signed-in user can read it", async () => {
  const { id } = await create("Spring");
  const found = await getScenario({ ctx: viewer.ctx, input: { scenarioId: id } });
  expect(found).toMatchObject({ name: "Spring", note: "For spring", createdByName: "Ada", isDefault: false });
  expect(found.input).toMatchObject({ uploadsPerSecond: 2000, drive: { name: "Micron 7450 MAX" } });
  expect(found).toMatchObject({ ranges, aroundShare: 0.3, loadMeasuredSeconds: 1800 });
  expect(await listScenarios({ ctx: viewer.ctx })).toMatchObject([{ id, name: "Spring" }]);
  expect(await actions(1)).toEqual(["plan.scenario_created"]);
});

test("an input that cannot be planned with is refused with the message of its field, and nothing is stored", async () => {
  const wrong = { ...input, drive: { ...input.drive, driveWritesPerDay: 0 } };
  await expect(
    createScenario({ ctx: operator.ctx, input: { name: "Wrong", ...asked, input: wrong } }),
  ).rejects.toMatchObject({
    code: "invalid_input",
    field: "input.drive.driveWritesPerDay",
    message: expect.stringContaining("a drive without a rating cannot be planned with"),
  });
  expect(await listScenarios({ ctx: viewer.ctx })).toEqual([]);
});

test("a range that cannot be sampled is refused with the message of its field", async () => {
  const [range] = ranges;
  const wrong = { ...asked, ranges: [{ ...range, high: 1000 }] };
  await expect(
    createScenario({ ctx: operator.ctx, input: { name: "Wrong", ...wrong } }),
  ).rejects.toMatchObject({
    code: "invalid_input",
    field: "ranges.0.high",
    message: "A range must not end below its beginning.",
  });
});

test("the audit log shows a changed note and changed ranges, before and after", async () => {
  const { id, updatedAt } = await create("Spring");
  const change = { note: "For autumn", ranges: [], aroundShare: 0.1, loadMeasuredSeconds: null };
  await updateScenario({
    ctx: operator.ctx,
    input: { scenarioId: id, ...asked, ...change, updatedAtMs: updatedAt.getTime() },
  });
  expect((await auditEvents(installation.platform)).at(-1)).toMatchObject({
    action: "plan.scenario_changed",
    before: {
      note: "For spring",
      ranges: expect.stringContaining('"mode":2000'),
      aroundShare: 0.3,
      loadMeasuredSeconds: 1800,
    },
    after: { note: "For autumn", ranges: "[]", aroundShare: 0.1, loadMeasuredSeconds: null },
  });
});

test("a name is unique", async () => {
  await create("Spring");
  const { id } = await create("Summer");
  await expect(create("Spring")).rejects.toMatchObject({ code: "conflict", field: "name" });
  const rename = (name: string) => renameScenario({ ctx: operator.ctx, input: { scenarioId: id, name } });
  await expect(rename("Spring")).rejects.toMatchObject({ code: "conflict", field: "name" });
  expect(await rename("Autumn")).toMatchObject({ name: "Autumn" });
});

test("saving a version that another person has replaced overwrites nothing, and names that person", async () => {
  const { id, updatedAt } = await create("Spring");
  const save = (uploadsPerSecond: number, updatedAtMs: number) =>
    updateScenario({
      ctx: operator.ctx,
      input: { scenarioId: id, ...asked, input: { ...input, uploadsPerSecond }, updatedAtMs },
    });
  const saved = await save(3000, updatedAt.getTime());
  expect(saved.updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime());
  await expect(save(4000, updatedAt.getTime())).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining('Ada saved "Spring" after you opened it'),
  });
  const found = await getScenario({ ctx: viewer.ctx, input: { scenarioId: id } });
  expect(found.input).toMatchObject({ uploadsPerSecond: 3000 });
  // A new name is not a new version of the inputs.
  await renameScenario({ ctx: operator.ctx, input: { scenarioId: id, name: "Autumn" } });
  expect(await save(5000, saved.updatedAt.getTime())).toMatchObject({ name: "Autumn" });
});

test("deleting a plan requires its name", async () => {
  const { id } = await create("Spring");
  const remove = (name: string) => deleteScenario({ ctx: operator.ctx, input: { scenarioId: id, name } });
  await expect(remove("Sprin")).rejects.toMatchObject({ code: "invalid_input", field: "name" });
  await remove("Spring");
  await expect(getScenario({ ctx: viewer.ctx, input: { scenarioId: id } })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await actions(1)).toEqual(["plan.scenario_deleted"]);
});

test("at most one plan is the default that the overview uses", async () => {
  const [first, second] = [await create("First"), await create("Second")];
  for (const { id } of [first, second, second]) {
    await setDefaultScenario({ ctx: operator.ctx, input: { scenarioId: id } });
  }
  const found = await listScenarios({ ctx: viewer.ctx });
  expect(found.map(({ name, isDefault }) => [name, isDefault])).toEqual([
    ["First", false],
    ["Second", true],
  ]);
  expect(await actions(2)).toEqual(["plan.default_set", "plan.default_set"]);
});

test("a link shows the plan as it was when it was shared, until it is revoked or expires", async () => {
  const { id } = await create("Spring");
  const share = () =>
    sharePlan({ ctx: operator.ctx, input: { scenarioId: id, title: "For the board", lifetimeDays: 30 } });
  const { url, reportId } = await share();
  const [address, token = ""] = url.split("#");
  expect(address).toBe("http://console.test/plan");
  const read = (of: string) => readPlanReport({ ctx: installation.nobody, input: { token: of } });
  await deleteScenario({ ctx: operator.ctx, input: { scenarioId: id, name: "Spring" } });
  expect(await read(token)).toMatchObject({ title: "For the board", name: "Spring", ...asked });
  expect(JSON.stringify(await installation.platform.db.reportLink.findMany())).not.toContain(token);
  await expect(
    revokeReportLink({ ctx: operator.ctx, input: { kind: "benchmark", reportId } }),
  ).rejects.toMatchObject({ code: "not_found" });
  await revokeReportLink({ ctx: operator.ctx, input: { kind: "plan", reportId } });
  await expect(read(token)).rejects.toMatchObject({ code: "link_expired" });
  expect(await listReportLinks({ ctx: viewer.ctx, input: { kind: "plan" } })).toMatchObject([
    { title: "For the board", isOpen: false },
  ]);
  const again = await create("Spring");
  const other = await sharePlan({
    ctx: operator.ctx,
    input: { scenarioId: again.id, title: "Again", lifetimeDays: 30 },
  });
  installation.clock.advance(31 * DAY_MS);
  await expect(read(other.url.split("#")[1] ?? "")).rejects.toMatchObject({ code: "link_expired" });
  expect(await actions(5)).toEqual([
    "plan.report_shared",
    "plan.scenario_deleted",
    "plan.report_revoked",
    "plan.scenario_created",
    "plan.report_shared",
  ]);
});

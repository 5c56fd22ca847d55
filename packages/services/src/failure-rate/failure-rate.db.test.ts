import type { DriveStatsImport } from "@stashlight/contracts/failure-rate";
import { DAY_MS, YEAR_MS } from "@stashlight/contracts/time";
import { gammaQuantile } from "@stashlight/stats/gamma";
import { beforeEach, expect, test } from "vitest";
import { prepareMetricStore } from "../metrics/roll-up/retention.ts";
import {
  accept,
  auditEvents,
  createTestNode,
  type Person,
  type TestNode,
  useFreshInstallation,
} from "../testing/index.ts";
import { recordDriveDays } from "./drive-days.ts";
import { importDriveStats, listFailureRates, listPlaceDrives, markDrive } from "./index.ts";

const { installation } = useFreshInstallation();
let operator: Person;
let node: TestNode;

beforeEach(async () => {
  installation.clock.set(new Date("2026-11-20T10:00:00Z"));
  operator = await installation.person("operator", "Olga");
  node = await createTestNode(installation.platform, "pods-1", false, "main");
});

const model = "ST16000NM001G";

/** Reports one window of a machine with these drives, by device, and runs the hourly record. */
async function see(drives: Readonly<Record<string, string>>, by = node): Promise<string> {
  const gauges = Object.entries(drives).map(
    ([device, serial]) =>
      [
        "stashlight_device_info",
        { tier: "pod", device, model: `${model}-2KK103`, serial, firmware: "SN02" },
        1,
      ] as const,
  );
  const endMs = installation.clock.now().getTime();
  await prepareMetricStore(installation.platform);
  await accept(installation.platform, by.batch({ endMs, gauges }));
  return recordDriveDays(installation.platform);
}

const rates = () => listFailureRates({ ctx: operator.ctx });
const ofModel = async () => (await rates()).models.find((each) => each.model === model);
const mark = (drive: string, state: "in-use" | "failed" | "retired") =>
  markDrive({ ctx: operator.ctx, input: { drive, state } });

test("a drive counts once per day on which it was seen, even if it was recorded twice or moved", async () => {
  expect(await see({ p0: "A", p1: "B", p2: "B" })).toBe("Saw 2 HDDs of the fleet today, which 3 pods share.");
  await see({ p0: "A", p1: "B" });
  await recordDriveDays(installation.platform);
  installation.clock.advance(DAY_MS);
  await see({ p5: "A" });
  const { drives } = await rates();
  const found = drives.map(({ serial, device, daysSeen, lastSeenOn, isGone }) => ({
    serial,
    device,
    daysSeen,
    lastSeenOn,
    isGone,
  }));
  expect(found).toEqual([
    { serial: "B", device: expect.any(String), daysSeen: 1, lastSeenOn: "2026-11-20", isGone: false },
    { serial: "A", device: "p5", daysSeen: 2, lastSeenOn: "2026-11-21", isGone: false },
  ]);
  expect((await ofModel())?.own).toEqual({ driveDays: 3, failures: 0 });
});

test("a drive that left and came back is not a failure, and keeps its days", async () => {
  await see({ p0: "A" });
  installation.clock.advance(9 * DAY_MS);
  await recordDriveDays(installation.platform);
  expect((await rates()).drives).toMatchObject([{ serial: "A", isGone: true, state: "in-use" }]);
  expect(await ofModel()).toMatchObject({ installedCount: 0, own: { driveDays: 1, failures: 0 } });
  await see({ p0: "A" });
  expect(await ofModel()).toMatchObject({ installedCount: 1, own: { driveDays: 2, failures: 0 } });
});

test("a drive that left five years ago is forgotten", async () => {
  await see({ p0: "A" });
  installation.clock.advance(5 * YEAR_MS + 2 * DAY_MS);
  expect(await recordDriveDays(installation.platform)).toBe(
    "Saw 0 HDDs of the fleet today, forgot 1 that left five years ago.",
  );
  expect((await rates()).drives).toEqual([]);
});

test("SSDs are not recorded, because no failure rates are published for them", async () => {
  const ssd = { tier: "stash", device: "s0", model: "7450", serial: "S", firmware: "1" };
  const endMs = installation.clock.now().getTime();
  await prepareMetricStore(installation.platform);
  const gauges = [["stashlight_device_info", ssd, 1]] as const;
  await accept(installation.platform, node.batch({ endMs, gauges }));
  expect(await recordDriveDays(installation.platform)).toBe("Saw 0 HDDs of the fleet today.");
});

test("drives of simulated nodes are not recorded", async () => {
  const simulated = await createTestNode(installation.platform, "made-up", true, "sim");
  expect(await see({ p0: "A" }, simulated)).toBe("Saw 0 HDDs of the fleet today.");
});

test("a marked failure counts until it is withdrawn, retired drives do not, and each mark is in the audit log", async () => {
  await see({ p0: "A", p1: "B" });
  const before = (await ofModel())?.rate.value ?? 0;
  await mark("A", "failed");
  await mark("A", "failed");
  await mark("B", "retired");
  expect(await ofModel()).toMatchObject({ installedCount: 0, own: { driveDays: 2, failures: 1 } });
  expect((await ofModel())?.rate.value).toBeGreaterThan(before);
  expect((await rates()).drives).toContainEqual(
    expect.objectContaining({ serial: "A", state: "failed", markedBy: "Olga" }),
  );
  await mark("A", "in-use");
  expect((await ofModel())?.rate.value).toBe(before);
  const events = (await auditEvents(installation.platform)).filter(({ action }) => action === "drive.marked");
  expect(events.map(({ targetName, before: from, after }) => [targetName, from, after])).toEqual([
    [`${model}-2KK103 A`, { state: "in-use" }, { state: "failed" }],
    [`${model}-2KK103 B`, { state: "in-use" }, { state: "retired" }],
    [`${model}-2KK103 A`, { state: "failed" }, { state: "in-use" }],
  ]);
});

test("a drive that was never seen cannot be marked, and a viewer can mark none", async () => {
  await expect(mark("Z", "failed")).rejects.toThrow("No drive of the fleet has the serial number Z.");
  const { ctx } = await installation.person("viewer");
  await expect(markDrive({ ctx, input: { drive: "A", state: "failed" } })).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a place lists the drives that were last seen there", async () => {
  await see({ p0: "A" });
  installation.clock.advance(DAY_MS);
  await see({ p0: "C" });
  const ofPlace = await listPlaceDrives({ ctx: operator.ctx, input: { nodeId: node.id, device: "p0" } });
  expect(ofPlace.map(({ serial }) => serial)).toEqual(["C", "A"]);
});

const quarter = (part: Partial<DriveStatsImport["quarters"][number]> = {}) => ({
  quarter: "2026-Q2",
  from: "2026-04-01",
  to: "2026-06-30",
  dayCount: 91,
  models: [
    { model, driveDays: 3_000_000, failures: 60 },
    { model: `${model}-2KK103`, driveDays: 1000, failures: 0 },
    { model: "NEW1", driveDays: 100_000, failures: 100 },
  ],
  ...part,
});
const store = (...quarters: ReturnType<typeof quarter>[]) =>
  importDriveStats({ ctx: operator.ctx, input: { source: "data_Q2_2026", quarters } });

test("an import replaces the built-in counts of a model, with its exact interval and its source", async () => {
  expect((await ofModel())?.published).toMatchObject({
    isImported: false,
    source: "Backblaze Drive Stats for 2024; Backblaze Drive Stats for Q1 2026",
  });
  await store(quarter());
  const years = 3_001_000 / 365;
  const [low, high] = [gammaQuantile(0.025, 60), gammaQuantile(0.975, 61)];
  expect((await ofModel())?.published).toEqual({
    isImported: true,
    source: "Drive Stats import, 2026-Q2",
    from: "2026-04-01",
    to: "2026-06-30",
    driveDays: 3_001_000,
    failures: 60,
    rate: { value: 60 / years, low: low / years, high: high / years },
  });
  expect((await rates()).models.map((each) => each.model)).toContain("NEW1");
});

test("a quarter that is imported twice is replaced, and quarters add up", async () => {
  await store(quarter());
  await store(quarter());
  const next = { quarter: "2026-Q3", from: "2026-07-01", to: "2026-09-30", dayCount: 92 };
  await store(quarter(next));
  expect((await ofModel())?.published).toMatchObject({ driveDays: 6_002_000, failures: 120 });
  expect((await rates()).quarters).toMatchObject([
    { quarter: "2026-Q3", dayCount: 92, modelCount: 2, driveDays: 3_101_000, failures: 160 },
    { quarter: "2026-Q2", importedBy: "Olga", source: "data_Q2_2026" },
  ]);
});

test("a part of a quarter does not replace a larger part", async () => {
  await store(quarter());
  await expect(store(quarter({ dayCount: 30, to: "2026-04-30" }))).rejects.toThrow(
    "2026-Q2 is stored with 91 days, and these files have 30 of them. Import all files of the quarter at once.",
  );
  await expect(store(quarter(), quarter())).rejects.toThrow("The files contain a quarter twice.");
  expect((await ofModel())?.published).toMatchObject({ driveDays: 3_001_000 });
});

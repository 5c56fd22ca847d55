import { type AlertQuery, durabilityMetric } from "@stashlight/contracts/alert";
import { beforeEach, expect, test, vi } from "vitest";
import { ensureAlertRules } from "../alert/built-in-rules.ts";
import { readDurabilitySamples } from "../alert/durability-sample.ts";
import { listFiring } from "../alert/index.ts";
import { firingAfter } from "../alert/testing/firing-after.ts";
import { importDriveStats, markDrive, recordDriveDays } from "../failure-rate/index.ts";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../testing/index.ts";
import { listDurability } from "./list.ts";
import { countFailures, listRebuilds } from "./rebuild-history.ts";

const { installation, admin } = useFreshInstallation("admin");
let node: TestNode;

beforeEach(async () => {
  node = await createTestNode(installation.platform, "coordinator-1", false, "main");
});

interface Pods {
  readonly away?: number;
  /** Model of every drive, whose serial numbers are Z0 to Z19. */
  readonly model?: string | null;
  /** Number of pods that are rebuilding, with the missing bytes and the estimated seconds. */
  readonly rebuilding?: { readonly count: number; readonly bytes: number; readonly seconds: number };
}

const POD_BYTES = 1e12;

/** Reports one window of a vault of 16+4, as its coordinator and pods do. */
async function report({
  away = 0,
  rebuilding = { count: 0, bytes: 0, seconds: 0 },
  model = null,
}: Pods = {}): Promise<void> {
  const gauges: [string, Record<string, string>, number][] = [
    ["stashlight_vault_data_shards", {}, 16],
    ["stashlight_vault_parity_shards", {}, 4],
    ["stashlight_vault_rebuild_limit_bytes", {}, 32e6],
  ];
  for (let pod = 0; pod < 20; pod += 1) {
    const [onPod, isRebuilt] = [{ pod: `pod-${pod}`, device: `p${pod}` }, pod >= 20 - rebuilding.count];
    gauges.push(["stashlight_vault_pod_settled", { pod: `p${pod}` }, pod < away ? 0 : 1]);
    if (pod < away) continue;
    gauges.push(
      ["stashlight_pod_live_bytes", onPod, POD_BYTES - (isRebuilt ? rebuilding.bytes : 0)],
      ["stashlight_pod_missing_shards", onPod, isRebuilt ? 9 : 0],
      ["stashlight_pod_missing_bytes", onPod, isRebuilt ? rebuilding.bytes : 0],
      ["stashlight_pod_rebuild_total_bytes", onPod, isRebuilt ? rebuilding.bytes : 0],
      ["stashlight_pod_rebuild_remaining_seconds", onPod, isRebuilt ? rebuilding.seconds : 0],
      ["stashlight_scrub_oldest_unverified_seconds", { tier: "pod", device: `p${pod}` }, 86_400],
      ...(model === null
        ? []
        : [
            [
              "stashlight_device_info",
              { tier: "pod", device: `p${pod}`, model, serial: `Z${pod}`, firmware: "1" },
              1,
            ] as [string, Record<string, string>, number],
          ]),
    );
  }
  const endMs = installation.clock.now().getTime();
  await accept(installation.platform, node.batch({ endMs, gauges } as never));
}

const durabilities = () => listDurability({ ctx: admin.ctx });

test("pods that are down are missing until a replacement has all their bytes, and no others are", async () => {
  await report();
  expect(await durabilities()).toMatchObject([
    { vault: "main", missingCount: 0, spareShare: 1, remedy: null },
  ]);
  installation.clock.advance(60_000);
  await report({ away: 2 });
  const [found] = await durabilities();
  expect(found).toMatchObject({ missingCount: 2, podCount: 20, spareShare: 0.5 });
  // 4 h until a replacement is in place, and 1 TB at the vault's limit.
  expect(found?.sentence).toMatch(
    /^2 of 20 missing: whole again in 12 h 41 min; chance of loss until then 1 in [\d,]+ \(.*\); a third failure would make it 1 in [\d,]+; a fifth loses data\.$/,
  );
  expect(found?.assumptions[0]).toBe("5 % of failures take 2 drives at once.");
  for (const { source } of found?.figures ?? []) expect(source).not.toBe("");
});

test("durability figures have the age of the report behind them, not of the query", async () => {
  await report();
  const reportedAt = installation.clock.now();
  installation.clock.advance(40_000);
  const [found] = await durabilities();
  expect(found?.reportedAt).toEqual(reportedAt);
  const ages = found?.figures.flatMap(({ ageSeconds }) => ageSeconds ?? []);
  expect(new Set(ages)).toEqual(new Set([40]));
});

test.each([
  ["of all as whole the older one", {}, "pods"],
  [
    "of a pod that lacks shards that of the pods",
    { rebuilding: { count: 1, bytes: 1e9, seconds: 9 } },
    "pods",
  ],
  ["of a pod that is away that of the coordinator", { away: 1 }, "coordinator"],
] as const)("durability has the date of the report that decides: %s", async (_, pods, decides) => {
  const { clock, platform } = installation;
  await report(pods);
  const reportedAt = clock.now();
  clock.advance(8_000);
  const coordinator = await createTestNode(platform, "later-c", false, "main");
  const gauges = [["stashlight_vault_parity_shards", {}, 4]] as const;
  await accept(platform, coordinator.batch({ endMs: clock.now().getTime(), gauges }));
  const expected = decides === "pods" ? reportedAt : clock.now();
  expect((await durabilities())[0]?.reportedAt).toEqual(expected);
});

test("a rebuild in progress shows its remaining time, and its rate counts as measured", async () => {
  for (let minute = 0; minute < 6; minute += 1) {
    installation.clock.advance(60_000);
    await report({
      rebuilding: { count: 1, bytes: 6e11 - minute * 6e9, seconds: (6e11 - minute * 6e9) / 1e8 },
    });
  }
  const [found] = await durabilities();
  expect(found?.sentence).toMatch(/^1 of 20 missing: whole again in 1 h 3\d min/);
  expect(found?.figures).toContainEqual(
    expect.objectContaining({ name: "Rebuild rate", value: "100 MB/s (100 MB/s to 100 MB/s)" }),
  );
});

test("a rebuild of a few seconds measures no rate, because its bytes and its time left were read at different moments", async () => {
  await report({ rebuilding: { count: 1, bytes: 1.87e6, seconds: 0 } });
  installation.clock.advance(10_000);
  await report({ rebuilding: { count: 1, bytes: 1e5, seconds: 2.46 } });
  installation.clock.advance(60_000);
  await report();
  const [found] = await durabilities();
  expect(found?.figures).toContainEqual(
    expect.objectContaining({ name: "Rebuild rate", value: "32 MB/s", count: null }),
  );
});

test("a failure that an operator marks and counts that are imported change the nines of a vault with such drives", async () => {
  const { platform } = installation;
  const read = async (name: string) => {
    installation.clock.advance(60_000);
    await report({ model: "ST16000NM001G-2KK103" });
    const [found] = await durabilities();
    const figure = found?.figures.find((each) => each.name === name);
    return { nines: found?.nines?.value ?? Number.NaN, figure };
  };
  const ofModel = () => read("Failures of ST16000NM001G");
  await report({ model: "ST16000NM001G-2KK103" });
  await recordDriveDays(platform);
  const before = await ofModel();
  expect(before.figure).toMatchObject({
    count: 20,
    source:
      "Backblaze Drive Stats for 2024; Backblaze Drive Stats for Q1 2026: 270 failures in 14,835,759 drive days; and 0 failures in 20 drive days of this fleet",
  });
  await markDrive({ ctx: admin.ctx, input: { drive: "Z3", state: "failed" } });
  const marked = await ofModel();
  expect(marked.nines).toBeLessThan(before.nines);
  expect(marked.figure?.source).toContain("1 failure in 20 drive days of this fleet");
  const models = [{ model: "ST16000NM001G", driveDays: 3_000_000, failures: 300 }];
  const quarter = { quarter: "2026-Q2", from: "2026-04-01", to: "2026-06-30", dayCount: 91, models };
  await importDriveStats({ ctx: admin.ctx, input: { source: "data_Q2_2026", quarters: [quarter] } });
  const imported = await ofModel();
  expect(imported.nines).toBeLessThan(marked.nines);
  expect(imported.figure?.source).toMatch(
    /^Drive Stats import, 2026-Q2: 300 failures in 3,000,000 drive days; /,
  );
});

test("a vault whose agents do not report the scheme is unknown with the reason, and no rule fires for it", async () => {
  const gauges: [string, Record<string, string>, number][] = [["stashlight_vault_taken_bytes", {}, 1]];
  const endMs = installation.clock.now().getTime();
  await accept(installation.platform, node.batch({ endMs, gauges } as never));
  expect(await durabilities()).toMatchObject([
    { vault: "main", nines: null, missingCount: null, figures: [] },
  ]);
  const [{ sentence } = { sentence: "" }] = await durabilities();
  expect(sentence).toBe(
    "Durability is unknown: no coordinator reported the scheme of the vault in the last minute; all are silent, of an earlier version, or their clocks are wrong.",
  );
});

test("a thin margin and nines below the target fire with the sentence of the page, and end once the vault is whole", async () => {
  const { platform } = installation;
  await ensureAlertRules(platform);
  const builtInKey = { in: ["nines-below-target", "margin-thin"] };
  await platform.db.alertRule.deleteMany({ where: { NOT: { builtInKey } } });
  const firingWith = (pods: Pods, seconds: number) =>
    firingAfter(seconds * 1000, { installation, admin, report: () => report(pods) });
  expect(await firingWith({}, 330)).toEqual([]);
  expect(await firingWith({ away: 3 }, 240)).toEqual([]);
  const names = ["main: Margin is thin", "main: Nines below the target"];
  expect((await firingWith({ away: 3 }, 120)).toSorted()).toEqual(names);
  const firing = await listFiring({ ctx: admin.ctx });
  const [{ sentence } = { sentence: "" }] = await durabilities();
  expect(sentence).toMatch(/^3 of 20 missing/);
  for (const { incidentSummary } of firing) expect(incidentSummary).toContain(sentence.replace(/\.$/, ""));
  expect(await firingWith({}, 1200)).toEqual([]);
});

test("rules on durability that are evaluated together share one reading, and the next evaluation has a new one", async () => {
  const { platform, clock } = installation;
  await report();
  const read = (figure: "nines" | "spare-parity") => {
    const query: AlertQuery = { metric: durabilityMetric, where: {}, groupBy: ["vault"], across: "max" };
    const condition = { kind: "durability" as const, figure, threshold: 1 };
    return readDurabilitySamples(platform, { query, condition }, clock.now().getTime());
  };
  const readings = vi.spyOn(platform.db.fleetDrive, "groupBy");
  const count = () => readings.mock.calls.length;
  expect(await read("nines")).toHaveLength(1);
  const ofOne = count();
  expect(ofOne).toBeGreaterThan(0);
  expect(await read("spare-parity")).toMatchObject([{ value: 1 }]);
  expect(count()).toBe(ofOne);
  clock.advance(4_000);
  await report({ away: 1 });
  expect(await read("spare-parity")).toMatchObject([{ value: 0.75 }]);
  expect(count()).toBe(2 * ofOne);
  readings.mockRestore();
});

test("a rebuild of nearly all of a pod counts as a failed drive, and a smaller one does not", () => {
  expect(listRebuilds([0, 3, 9, 2, 0, 0, 4, 0])).toEqual([9, 4]);
  const pods = [
    { watchedMs: 365 * 86_400_000, rebuilds: [95, 4] },
    { watchedMs: 365 * 86_400_000, rebuilds: [] },
  ];
  expect(countFailures(pods, 100)).toEqual({ failures: 1, driveYears: 2 });
  expect(countFailures(pods, 0)).toEqual({ failures: 0, driveYears: 2 });
});

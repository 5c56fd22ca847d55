/** Tests that a store has one forecast, on which pages, alert rule, report and planner agree. */
import { describeForecast, likelyFullInMs } from "@stashlight/stats/forecast";
import { expect, test } from "vitest";
import { builtInRules } from "../alert/built-in-rules.ts";
import { readSamples } from "../alert/sample.ts";
import { accept, createTestNode, useFreshInstallation } from "../testing/index.ts";
import { readVaultFill } from "../vault/fill.ts";
import { composeLetter } from "../weekly-report/compose.ts";
import { readFills } from "../weekly-report/fill.ts";
import { lastWeeks } from "../weekly-report/week.ts";
import { listForecasts } from "./list.ts";

const HOUR_MS = 3_600_000;
const { installation } = useFreshInstallation();

/** Reports a coordinator's level every half hour, up to now. */
async function reportLevels(vault: string, hourCount: number, levelAt: (hour: number) => number) {
  const { platform } = installation;
  const coordinator = await createTestNode(platform, `${vault}-c`, false, vault);
  const nowMs = platform.now().getTime();
  for (let half = 2 * hourCount; half >= 0; half -= 1) {
    const gauges: [string, Record<string, string>, number][] = [
      ["stashlight_vault_taken_bytes", {}, levelAt(hourCount - half / 2)],
      ["stashlight_vault_capacity_bytes", {}, 1000],
    ];
    await accept(platform, coordinator.batch({ endMs: nowMs - (half * HOUR_MS) / 2, gauges } as never));
  }
}

test.each([0, 33, 790, 870, 999, 1000])(
  "forecast, report, alert and benchmark agree on the fill of a vault with %i of 1,000 bytes taken and two coordinators",
  async (takenBytes) => {
    const { platform } = installation;
    const nowMs = platform.now().getTime();
    for (const name of ["c1", "c2"]) {
      const coordinator = await createTestNode(platform, name, false, "local");
      const gauges = [
        ["stashlight_vault_taken_bytes", {}, takenBytes],
        ["stashlight_vault_capacity_bytes", {}, 1000],
      ] as const;
      await accept(platform, coordinator.batch({ endMs: nowMs, gauges }));
    }
    const { ctx } = await installation.person("viewer");
    const [forecast] = await listForecasts({ ctx, input: { where: {} } });
    const [inReport] = await readFills(platform, undefined, nowMs);
    const rule = builtInRules.find(([key]) => key === "vault-full")?.[1];
    const ask = { query: rule?.query, condition: rule?.condition } as Parameters<typeof readSamples>[1];
    const [sample] = await readSamples(platform, ask, nowMs);
    const shares = [forecast?.share, inReport?.share, sample?.value, await readVaultFill(platform, "local")];
    expect(shares).toEqual(shares.map(() => takenBytes / 1000));
  },
);

test.each<[string, number, (hour: number) => number, string]>([
  ["grows steadily", 16, (hour) => 500 + 20 * hour, "filling"],
  ["is level", 16, () => 500, "none"],
  ["is full", 16, () => 970, "full"],
  ["was started an hour ago", 1, (hour) => 300 + 200 * hour, "none"],
  ["holds next to nothing", 16, (hour) => 1 + hour, "none"],
])("page, alert and report agree about a vault that %s", async (_, hourCount, levelAt, kind) => {
  await reportLevels("main", hourCount, levelAt);
  const { platform } = installation;
  const { ctx } = await installation.person("viewer");
  const nowMs = platform.now().getTime();
  const found = await listForecasts({ ctx, input: { where: {} } });
  expect(found).toMatchObject([{ vault: "main", store: "pods", forecast: { kind } }]);
  const [{ forecast } = { forecast: { kind: "full" as const } }] = found;

  const [fill] = await readFills(platform, undefined, nowMs);
  const week = lastWeeks(new Date(nowMs), "UTC").week;
  const { text } = composeLetter(
    { week, causes: [], fills: fill === undefined ? [] : [fill], uploads: [], drives: [], verdicts: [] },
    "https://stash.example",
  );
  expect(text).toContain(describeForecast(forecast));

  const [sample] = await readSamples(
    platform,
    {
      query: { metric: "stashlight_vault_taken_bytes", where: {}, groupBy: ["vault"], across: "max" },
      condition: {
        kind: "time-to-full",
        capacityMetric: "stashlight_vault_capacity_bytes",
        thresholdSeconds: 86_400,
      },
    },
    nowMs,
  );
  const likelyMs = likelyFullInMs(forecast);
  if (likelyMs === null) expect(sample?.value ?? 1e9).toBeGreaterThan(86_400);
  else expect(sample?.value).toBe(likelyMs / 1000);
});

test("a vault that has just filled up is full for its readers, but not yet for a rule", async () => {
  const { platform } = installation;
  const coordinator = await createTestNode(platform, "main-c", false, "main");
  for (const [agoMs, taken] of [
    [HOUR_MS, 300],
    [HOUR_MS / 6, 300],
    [0, 970],
  ] as const) {
    const gauges = [
      ["stashlight_vault_taken_bytes", {}, taken],
      ["stashlight_vault_capacity_bytes", {}, 1000],
    ] as const;
    await accept(platform, coordinator.batch({ endMs: platform.now().getTime() - agoMs, gauges }));
  }
  const { ctx } = await installation.person("viewer");
  const [shown] = await listForecasts({ ctx, input: { where: {} } });
  expect(shown).toMatchObject({ share: 0.97, forecast: { kind: "full" } });
  const rule = builtInRules.find(([key]) => key === "vault-time-to-full")?.[1];
  const ask = { query: rule?.query, condition: rule?.condition } as Parameters<typeof readSamples>[1];
  const [sample] = await readSamples(platform, ask, platform.now().getTime());
  expect(sample?.value ?? 1e9).toBeGreaterThan(86_400);
});

/** One store has one forecast: what the pages read, the alert rule, the report and the planner say the same of it. */
import { describeForecast, likelyFullInMs } from "@stashlight/stats/forecast";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSamples } from "../alert/sample.ts";
import { accept, createTestNode, openTestInstallation, type TestInstallation } from "../testing/index.ts";
import { composeLetter } from "../weekly-report/compose.ts";
import { readFills } from "../weekly-report/fill.ts";
import { lastWeeks } from "../weekly-report/week.ts";
import { listForecasts } from "./list.ts";

const HOUR_MS = 3_600_000;
let installation: TestInstallation;

beforeEach(async () => {
  installation = await openTestInstallation();
});
afterEach(() => installation.close());

/** A pod of a vault with a level each half hour, up to now. */
async function reportLevels(vault: string, hourCount: number, levelAt: (hour: number) => number) {
  const { platform } = installation;
  const pod = await createTestNode(platform, `${vault}-pod`, false, vault);
  const nowMs = platform.now().getTime();
  const labels = { pod: "p", device: "d" };
  for (let half = 2 * hourCount; half >= 0; half -= 1) {
    const gauges: [string, Record<string, string>, number][] = [
      ["stashlight_pod_taken_bytes", labels, levelAt(hourCount - half / 2)],
      ["stashlight_pod_usable_bytes", labels, 1000],
    ];
    await accept(platform, pod.batch({ endMs: nowMs - (half * HOUR_MS) / 2, gauges } as never));
  }
}

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
      query: { metric: "stashlight_pod_taken_bytes", where: {}, groupBy: ["vault"], across: "sum" },
      condition: {
        ...{ kind: "time-to-full", capacityMetric: "stashlight_pod_usable_bytes", thresholdSeconds: 86_400 },
      },
    },
    nowMs,
  );
  const likelyMs = likelyFullInMs(forecast);
  if (likelyMs === null) expect(sample?.value ?? 1e9).toBeGreaterThan(86_400);
  else expect(sample?.value).toBe(likelyMs / 1000);
});

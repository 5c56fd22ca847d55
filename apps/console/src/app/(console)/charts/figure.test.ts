import { expect, test } from "vitest";
import { gaugeAnswer } from "../../../client/metrics/testing.ts";
import { isStale } from "../../../client/metrics/to-chart.ts";
import { figureEndMs, longestStepMs } from "./figure.ts";
import type { FigureTrend } from "./trend.ts";

test("a figure becomes stale by the step of its trend, not by the shorter step of its answer", () => {
  const trend: FigureTrend = {
    what: "mean",
    quantity: "per-second",
    tone: "coordinator",
    kind: "line",
    stepMs: 60_000,
    endMs: [60_000],
    values: [1],
  };
  const stepMs = longestStepMs({ trend }, [{ stepMs: 15_000 }]);
  expect(stepMs).toBe(60_000);
  expect([isStale(60_000, 150_000, stepMs), isStale(60_000, 250_000, stepMs)]).toEqual([false, true]);
});

test("a figure has the time of its own vault and metrics, and of the older of its answers", () => {
  const running = gaugeAnswer("stashlight_drive_running", [
    [{ vault: "north" }, 1, 20_000],
    [{ vault: "south" }, 1, 60_000],
  ]);
  const answers = [
    { ...running, newestMs: 60_000 },
    { ...gaugeAnswer("stashlight_device_healthy", [[{ vault: "south" }, 1, 50_000]]), newestMs: 50_000 },
    { ...gaugeAnswer("stashlight_pod_live_bytes", [[{ vault: "south" }, 1, 70_000]]), newestMs: 70_000 },
  ];
  const metrics = ["stashlight_drive_running", "stashlight_device_healthy"];
  const endOf = (vault: string, untilMs?: number) => figureEndMs({ metrics, vault, untilMs }, answers);
  expect([endOf("north"), endOf("south"), endOf("south", 45_000)]).toEqual([20_000, 50_000, 45_000]);
  expect(figureEndMs({ metrics: ["stashlight_index"] }, answers)).toBeNull();
  const unfinished = answers.map((answer) => ({ ...answer, newestMs: 55_000 }));
  expect(figureEndMs({ metrics: ["stashlight_drive_running"], vault: "south" }, unfinished)).toBe(55_000);
});

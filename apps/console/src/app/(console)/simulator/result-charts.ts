/** Charts of a result. Time counts from the start of the scenario; joined steps are hatched. */

import type { ApiOutputs } from "@stashlight/api";
import type { Scenario } from "@stashlight/contracts/planner";
import { samplesNeeded } from "@stashlight/stats/rank";
import { type ChartEvent, type ChartGap, type PreparedChart, prepareLines } from "@stashlight/ui/chart";

export type ScenarioResult = NonNullable<ApiOutputs["simulation"]["get"]["result"]>;
type StepsOfResult = Pick<ScenarioResult, "stepSeconds" | "durationSeconds"> & {
  readonly points: readonly Pick<Point, "second" | "basis">[];
};
type Point = ScenarioResult["points"][number];

const sampleCountMin = {
  p50Ms: samplesNeeded(500_000),
  p90Ms: samplesNeeded(900_000),
  p99Ms: samplesNeeded(990_000),
} as const;

function faultEvents({ faults }: Scenario): ChartEvent[] {
  const events = faults.flatMap((fault): ChartEvent[] => {
    const fromMs = fault.atSecond * 1000;
    if (fault.type === "dead stash server") {
      return [{ timeMs: fromMs, label: "a stash server dies", status: "bad" }];
    }
    const untilMs = fromMs + fault.durationSeconds * 1000;
    const [begins, ends] =
      fault.type === "pod outage"
        ? [`${fault.podCount} pods go away`, `${fault.podCount} pods are back`]
        : [`a ${fault.of} drive becomes ${fault.factor} times as slow`, `the ${fault.of} drive recovers`];
    return [
      { timeMs: fromMs, label: begins, status: "bad" },
      { timeMs: untilMs, label: ends, status: "good" },
    ];
  });
  return events.sort((a, b) => a.timeMs - b.timeMs);
}

/** Steps that were not run message by message, with consecutive ones merged. */
export function joinedStretches({ points, stepSeconds, durationSeconds }: StepsOfResult): ChartGap[] {
  const stretches: ChartGap[] = [];
  for (const { second, basis } of points) {
    if (basis !== "joined") continue;
    const startMs = second * 1000;
    const endMs = Math.min(durationSeconds, second + stepSeconds) * 1000;
    const last = stretches.at(-1);
    if (last?.endMs === startMs) stretches.splice(-1, 1, { ...last, endMs });
    else
      stretches.push({
        startMs,
        endMs,
        reason: "Simulated: derived from the nearest stretch that was run in full",
      });
  }
  return stretches;
}

function frame(result: ScenarioResult, scenario: Scenario) {
  return {
    range: { fromMs: 0, toMs: result.durationSeconds * 1000 },
    stepMs: result.stepSeconds * 1000,
    utcOffsetMs: 0,
    isElapsed: true,
    events: faultEvents(scenario),
    late: joinedStretches(result),
  } as const;
}

const pointEnds = ({ points, stepSeconds, durationSeconds }: ScenarioResult) =>
  points.map(({ second }) => Math.min(durationSeconds, second + stepSeconds) * 1000);

export function occupancyChart(result: ScenarioResult, scenario: Scenario): PreparedChart {
  const highest = Math.max(...result.points.map(({ occupancyBytesMax }) => occupancyBytesMax), 0);
  // Leaves out a limit far above the values, which it would flatten.
  const isNear = highest > result.usableBytes / 20;
  return prepareLines({
    ...frame(result, scenario),
    quantity: "bytes",
    thresholds: isNear
      ? [
          { value: result.usableBytes, label: "full", tone: "warning" },
          { value: result.capacityBytes, label: "capacity", tone: "bad" },
        ]
      : [],
    lines: [
      {
        id: "mean",
        label: "on the stash",
        tone: "stash",
        endMs: pointEnds(result),
        values: result.points.map(({ occupancyBytes }) => occupancyBytes),
      },
      {
        id: "max",
        label: "highest",
        tone: "stash",
        weight: "light",
        endMs: pointEnds(result),
        values: result.points.map(({ occupancyBytesMax }) => occupancyBytesMax),
      },
    ],
  });
}

export function latencyChart(result: ScenarioResult, scenario: Scenario): PreparedChart {
  const line = (path: "stash" | "direct", key: "p50Ms" | "p90Ms" | "p99Ms") => ({
    id: `${path} ${key}`,
    label: `${path} ${key.slice(0, 3)}`,
    tone: path,
    weight:
      key === "p99Ms" ? ("light" as const) : key === "p90Ms" ? ("medium" as const) : ("strong" as const),
    endMs: pointEnds(result),
    values: result.points.map((point) => pathSeconds(point, path, key)),
    n: result.points.map((point) => point[path]?.sampleCount ?? 0),
  });
  const paths = (["stash", "direct"] as const).filter((path) =>
    result.points.some((point) => point[path] !== null),
  );
  return prepareLines({
    ...frame(result, scenario),
    quantity: "seconds",
    isLatency: true,
    lines: paths.flatMap((path) => (["p50Ms", "p90Ms", "p99Ms"] as const).map((key) => line(path, key))),
  });
}

function pathSeconds(
  point: Point,
  path: "stash" | "direct",
  key: "p50Ms" | "p90Ms" | "p99Ms",
): number | null {
  const figures = point[path];
  if (figures === null) return null;
  return figures.sampleCount < sampleCountMin[key] ? null : figures[key] / 1000;
}

export function purgeLagChart(result: ScenarioResult, scenario: Scenario): PreparedChart {
  const line = (key: "p50Seconds" | "p99Seconds", weight: "strong" | "light") => ({
    id: key,
    label: key.slice(0, 3),
    tone: "stash" as const,
    weight,
    endMs: pointEnds(result),
    values: result.points.map(({ purgeLag }) => purgeLag?.[key] ?? null),
    n: result.points.map(({ purgeLag }) => purgeLag?.sampleCount ?? 0),
  });
  return prepareLines({
    ...frame(result, scenario),
    quantity: "seconds",
    lines: [line("p50Seconds", "strong"), line("p99Seconds", "light")],
  });
}

export function troubleChart(result: ScenarioResult, scenario: Scenario): PreparedChart {
  const lines = [
    { key: "uploadsPerSecond", label: "uploads", tone: "coordinator" },
    { key: "fallbacksPerSecond", label: "fell back", tone: "direct" },
    { key: "failuresPerSecond", label: "failed", tone: "bad" },
  ] as const;
  return prepareLines({
    ...frame(result, scenario),
    quantity: "count",
    lines: lines.map(({ key, label, tone }) => ({
      id: key,
      label,
      tone,
      endMs: pointEnds(result),
      values: result.points.map((point) => point[key]),
    })),
  });
}

/** "41 of 720 steps exact, the others joined". */
export function formatBasis({ points, basis }: ScenarioResult): string {
  if (basis === "exact") return "exact: every message was run";
  const exactCount = points.filter((point) => point.basis === "exact").length;
  return `${exactCount} of ${points.length} steps exact, the others joined`;
}

/** Label beside the charts' source; it also explains their hatching. */
export const basisCaveats = ({ basis }: Pick<ScenarioResult, "basis">): string[] =>
  basis === "exact" ? ["simulated"] : ["simulated; hatched where joined"];

/** Error of a prediction in percent of the measurement. */
export const errorPercent = (predicted: number, measured: number): number =>
  ((predicted - measured) / measured) * 100;

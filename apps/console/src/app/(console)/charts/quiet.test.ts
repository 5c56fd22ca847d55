import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import { gaugeAnswer, nowMs } from "../../../client/metrics/testing.ts";
import { noFigures } from "../overview/vault-summary.ts";
import type { VaultFigure } from "./figure.ts";
import { judgeAge, oldestReportMs, withReports } from "./quiet.ts";

const stepMs = 10_000;
const hourAgoMs = nowMs - 3_600_000;

test.each([
  ["current, while its window is new", { atMs: nowMs - 20_000 }, "current"],
  ["stale, where nothing is known of its agents", { atMs: hourAgoMs }, "stale"],
  ["stale, while its agents do not report", { atMs: hourAgoMs, reportedMs: nowMs - 60_000 }, "stale"],
  ["quiet, while its agents report", { atMs: hourAgoMs, reportedMs: nowMs - 10_000 }, "quiet"],
  ["current, where there never was a value", { atMs: null, reportedMs: nowMs }, "current"],
])("a value is %s", (_, dated, expected) => {
  expect(judgeAge({ stepMs, ...dated }, nowMs)).toBe(expected);
});

const reports = (tiers: Readonly<Record<string, number>>): MetricAnswer =>
  gaugeAnswer(
    "stashlight_agent_info",
    Object.entries(tiers).map(([tier, endMs]) => [{ tier }, 1, endMs]),
  );

test("figures of events depend on the agents that count them, and levels on no agents", () => {
  const figures = [...noFigures.writePath, ...noFigures.space];
  const found = withReports(figures, [reports({ coordinator: hourAgoMs, stash: nowMs, pod: nowMs - 1 })]);
  const eventsOf = (id: string): VaultFigure["events"] => found.find((figure) => figure.id === id)?.events;
  expect(eventsOf("upload-direct")).toEqual({ what: "direct uploads since, as of", reportedMs: hourAgoMs });
  expect(eventsOf("failures")).toEqual({ what: "requests since, as of", reportedMs: hourAgoMs });
  expect(eventsOf("margin")).toEqual({ what: "uploads in the last 5 min, as of", reportedMs: hourAgoMs });
  expect(eventsOf("purge-lag")).toEqual({ what: "purges since, as of", reportedMs: nowMs });
  expect(eventsOf("fsync-hdd")).toEqual({ what: "syncs since, as of", reportedMs: nowMs - 1 });
  expect(eventsOf("vault-full")).toBeUndefined();
  expect(withReports(figures, [reports({ pod: nowMs })]).find(({ id }) => id === "upload-direct")).toEqual(
    figures.find(({ id }) => id === "upload-direct"),
  );
});

test("a figure of events is dated by its newest window, although its point ends later", () => {
  const answer = { ...reports({ coordinator: nowMs + 5_000 }), newestMs: nowMs - 8_000 };
  const found = withReports(noFigures.writePath, [answer]);
  expect(found.find(({ id }) => id === "upload-direct")?.events?.reportedMs).toBe(nowMs - 8_000);
});

test("reports have the time of the tier that reported least recently, without agents that are gone", () => {
  const timeOf = (tiers: Readonly<Record<string, number>>) => oldestReportMs([reports(tiers)], nowMs);
  expect(timeOf({ coordinator: nowMs - 9_000, stash: nowMs - 2_000, pod: nowMs })).toBe(nowMs - 9_000);
  expect(timeOf({ coordinator: nowMs - 9_000, pod: hourAgoMs })).toBe(nowMs - 9_000);
  expect([timeOf({ pod: hourAgoMs }), timeOf({})]).toEqual([hourAgoMs, null]);
});

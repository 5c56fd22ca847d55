import fc from "fast-check";
import { expect, test } from "vitest";
import { silenceMarks } from "../thresholds.ts";
import {
  describeSilence,
  describeSilentFor,
  findListeningSpan,
  isWhollySilent,
  silentSeconds,
} from "./silence.ts";

const nowMs = 10_000_000;
const ago = (seconds: number) => nowMs - 1000 * seconds;
const steady = { steadySinceMs: ago(3600), seenAtMs: ago(5) };

test.each([
  ["after 25 s", 25, [steady], 25],
  ["not after 24 s", 24, [steady], null],
  ["not while no ingest runs", 300, [], null],
  ["not for the time in which the ingest was down", 30, [{ ...steady, seenAtMs: ago(20) }], null],
  ["not in the minute after the ingest started", 300, [{ steadySinceMs: ago(80), seenAtMs: ago(1) }], null],
  [
    "in that minute, if the ingest has had a report from it",
    25,
    [{ steadySinceMs: ago(40), seenAtMs: ago(1) }],
    25,
  ],
  ["not 24 s after that report", 24, [{ steadySinceMs: ago(40), seenAtMs: ago(1) }], null],
  ["once that minute and 25 s are over", 300, [{ steadySinceMs: ago(90), seenAtMs: ago(1) }], 300],
  ["by the ingest that listens, after another one died", 40, [{ ...steady, seenAtMs: ago(29) }, steady], 40],
])("a node counts as silent %s", (_, seenSecondsAgo, ingests, expected) => {
  expect(silentSeconds(ago(seenSecondsAgo), findListeningSpan(ingests, nowMs))).toBe(expected);
});

test("a node that reports every 10 s is never silent, even if each report is written 10 s late", () => {
  const late = fc.integer({ min: 0, max: 10_000 });
  const age = fc.integer({ min: 0, max: 120 });
  fc.assert(
    fc.property(late, late, late, age, (reportLateMs, beatLateMs, phaseMs, ageSeconds) => {
      const lastSeenMs = nowMs - phaseMs - reportLateMs;
      const seenAtMs = Math.max(ago(ageSeconds), nowMs - phaseMs - beatLateMs);
      const ingest = { steadySinceMs: ago(ageSeconds), seenAtMs };
      expect(silentSeconds(lastSeenMs, findListeningSpan([ingest], nowMs))).toBeNull();
    }),
  );
});

test("no node is silent during the grace period after an ingest restarts", () => {
  const awaySeconds = fc.integer({ min: 1, max: 3600 });
  const sinceReturn = fc.integer({ min: 0, max: silenceMarks.restartGraceMs / 1000 });
  fc.assert(
    fc.property(awaySeconds, sinceReturn, fc.integer({ min: 0, max: 11 }), (away, back, unheard) => {
      const before = { steadySinceMs: ago(7200), seenAtMs: ago(away + back) };
      const after = { steadySinceMs: ago(back), seenAtMs: nowMs };
      const lastSeenMs = ago(away + back + unheard);
      expect(silentSeconds(lastSeenMs, findListeningSpan([before, after], nowMs))).toBeNull();
    }),
  );
});

const silence = { vault: "local", nodeCount: 22, seconds: 25.4, isAlerted: false };

test.each([
  [22, ["a", "b", "c"], "No data from vault local for 25 s"],
  [1, ["pod-1"], "No data from 1 of 22 nodes of vault local for 25 s: pod-1"],
  [5, ["a", "b", "c"], "No data from 5 of 22 nodes of vault local for 25 s: a, b, c and 2 more"],
])("%d silent nodes are described in one sentence", (silentCount, nodes, expected) => {
  expect(describeSilence({ ...silence, silentCount, nodes })).toBe(expected);
  expect(isWhollySilent({ ...silence, silentCount })).toBe(silentCount === 22);
});

test.each([
  [25.9, "no data for 25 s"],
  [74, "no data for 1 min"],
  [179, "no data for 2 min"],
  [3_700, "no data for 1 h"],
])("a silence of %d s is shown on a tile as %s", (seconds, expected) => {
  expect(describeSilentFor(seconds)).toBe(expected);
});

import { expect, test } from "vitest";
import { testSample } from "../testing/benchmark.ts";
import { prepareGroups } from "./groups.ts";

/** One connection that starts each upload when it is due, or when the previous one has ended. */
function uploadAtRate(servicesMs: readonly number[], intervalMs: number) {
  let freeAt = 0;
  return servicesMs.map((wireMs, index) => {
    const dueAt = index * intervalMs;
    const startedAt = Math.max(dueAt, freeAt);
    freeAt = startedAt + wireMs;
    const sample = testSample({ index, wireMs, intendedDelayMs: startedAt - dueAt });
    return { sample, sinceDueMs: freeAt - dueAt };
  });
}

const rank = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;

test("at a constant rate latency counts from the time each upload was due, and service time is reported too", () => {
  // A stall of 400 ms every 60 uploads, with an upload due every 60 ms that takes 45 to 65 ms.
  const servicesMs = Array.from({ length: 600 }, (_, i) => (i % 60 === 7 ? 400 : 45 + ((i * 37) % 21)));
  const uploads = uploadAtRate(servicesMs, 60);
  const [group, ...others] = prepareGroups(
    uploads.map(({ sample }) => sample),
    () => 1,
  );
  expect(others).toEqual([]);
  const sinceDueMs = uploads.map(({ sinceDueMs }) => sinceDueMs);
  expect(group).toMatchObject({ n: 600, medianMs: rank(sinceDueMs, 0.5), p95Ms: rank(sinceDueMs, 0.95) });
  expect(Array.from(group?.latencyMs ?? [])).toEqual(sinceDueMs);
  const delaysMs = uploads.map(({ sinceDueMs }, i) => sinceDueMs - (servicesMs[i] ?? 0));
  expect(group?.starts).toEqual({
    kind: "due",
    p50Ms: rank(delaysMs, 0.5),
    p99Ms: rank(delaysMs, 0.99),
    maxMs: Math.max(...delaysMs),
    lateCount: delaysMs.filter((ms) => ms >= 5).length,
    service: { medianMs: rank(servicesMs, 0.5), p95Ms: rank(servicesMs, 0.95), maxMs: 400 },
  });
  // Latency counted from the write would have hidden the stall.
  expect(rank(servicesMs, 0.95)).toBe(65);
  expect(group?.p95Ms).toBeGreaterThan(300);
});

test("a retried upload's latency spans all attempts, and its delay is that of the first", () => {
  // Due at 0, first written at 10 and answered 503 at 30; retried at 30 and done at 50.
  const sample = testSample({ wireMs: 20, perceivedMs: 40, attempts: 2, intendedDelayMs: 30 });
  const [group] = prepareGroups([sample], () => 1);
  expect(group).toMatchObject({ medianMs: 50, starts: { kind: "due", p50Ms: 10, maxMs: 10 } });
});

test("a closed loop counts latency from the write, with the pauses that occurred", () => {
  const samples = Array.from({ length: 300 }, (_, index) =>
    testSample({ index, wireMs: 20, achievedPauseMs: 10 + index / 100 }),
  );
  const [group] = prepareGroups(samples, () => 1);
  expect(group).toMatchObject({ medianMs: 20, maxMs: 20 });
  expect(group?.starts).toEqual({ kind: "pause", p50Ms: 11.49, p99Ms: 12.96, maxMs: 12.99 });
});

test("stages of the same load form one group, in order", () => {
  const samples = [1, 2, 3, 4].map((wireMs, index) =>
    testSample({ index, wireMs, leg: index < 2 ? 0 : 3, outcome: index === 2 ? "failed" : "ok" }),
  );
  const [group, ...others] = prepareGroups(samples, () => 4);
  expect(others).toEqual([]);
  expect(group).toMatchObject({ connectionCount: 4, n: 4, failureCount: 1 });
  expect(Array.from(group?.latencyMs ?? [])).toEqual([1, 2, 3, 4]);
  expect(Array.from(group?.failedAt ?? [])).toEqual([2]);
});

import { createRecorder, type DeliveryStatus, type RecordedWindow } from "@stashlight/telemetry";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Reporter } from "./reporter.ts";

const WINDOW_MS = 10_000;

beforeEach(() => void vi.useFakeTimers({ now: 1_000_003_500 }));
afterEach(() => void vi.useRealTimers());

function startReporter(open?: (signal: AbortSignal) => Promise<void>) {
  const recorder = createRecorder({ nowMs: Date.now });
  const uploads = recorder.counter("stashlight_uploads_total", { path: "stash", result: "stored" });
  const windows: RecordedWindow[] = [];
  const lines: string[] = [];
  const status: { -readonly [Name in keyof DeliveryStatus]: DeliveryStatus[Name] } = {
    spoolBytes: 0,
    spooledCount: 0,
    replayedTotal: 0,
    droppedTotals: new Map(),
    skewMs: null,
    trouble: null,
    remark: null,
  };
  const reporter = new Reporter({
    recorder,
    windowMs: WINDOW_MS,
    open: async (signal) => {
      await open?.(signal);
      return { take: async (window) => void windows.push(window), status: () => status };
    },
    nowMs: Date.now,
    random: () => 0.5,
    logger: pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
  });
  const increases = () =>
    windows.map(
      ({ counters }) => counters.find(({ metric }) => metric === "stashlight_uploads_total")?.increase,
    );
  return { reporter, uploads, windows, status, lines, increases };
}

test("windows end at multiples of their length, and their batches a little later", async () => {
  const { uploads, windows, increases } = startReporter();
  uploads.add();
  await vi.advanceTimersByTimeAsync(6500);
  expect(windows).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(windows).toHaveLength(1);
  uploads.add(2);
  await vi.advanceTimersByTimeAsync(2 * WINDOW_MS);
  expect(windows.map(({ endMs }) => endMs % WINDOW_MS)).toEqual([0, 0, 0]);
  expect(increases()).toEqual([1, 2, 0]);
});

test("data recorded before the node had its key is in the first window", async () => {
  const key = Promise.withResolvers<void>();
  const { uploads, windows, increases } = startReporter(() => key.promise);
  uploads.add(5);
  await vi.advanceTimersByTimeAsync(3 * WINDOW_MS);
  expect(windows).toEqual([]);
  key.resolve();
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  expect(increases()).toEqual([5]);
  expect(windows[0]?.startMs).toBe(1_000_003_500);
});

test("stopping delivers the data recorded since the last window", async () => {
  const { reporter, uploads, increases } = startReporter();
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  uploads.add(3);
  await reporter.stop();
  await vi.advanceTimersByTimeAsync(3 * WINDOW_MS);
  expect(increases()).toEqual([0, 3]);
});

test("stopping between the end of a window and its batch loses neither", async () => {
  const { reporter, uploads, increases } = startReporter();
  uploads.add(1);
  await vi.advanceTimersByTimeAsync(6600);
  uploads.add(2);
  expect(increases()).toEqual([]);
  await reporter.stop();
  expect(increases()).toEqual([1, 2]);
});

test("stopping ends a node that still waits for its key", async () => {
  const { reporter, windows, lines } = startReporter(
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  await reporter.stop();
  expect(windows).toEqual([]);
  expect(lines).toEqual([]);
});

test("a problem is logged once, and so is its end", async () => {
  const { status, lines } = startReporter();
  status.trouble = "The ingest asks for a retry later.";
  await vi.advanceTimersByTimeAsync(3 * WINDOW_MS);
  status.trouble = null;
  await vi.advanceTimersByTimeAsync(3 * WINDOW_MS);
  expect(lines).toEqual([
    "reporting to the ingest",
    "batches wait for the ingest",
    "the ingest accepts batches again",
  ]);
});

test("queued, late and discarded data is measured", async () => {
  const { status, windows } = startReporter();
  Object.assign(status, { spoolBytes: 700, replayedTotal: 2, droppedTotals: new Map([["too_old", 4]]) });
  await vi.advanceTimersByTimeAsync(WINDOW_MS);
  const { gauges = [], counters = [] } = windows[0] ?? {};
  expect(gauges).toContainEqual({ metric: "stashlight_agent_spool_bytes", labels: {}, value: 700 });
  expect(counters).toContainEqual({
    metric: "stashlight_agent_batches_dropped_total",
    labels: { reason: "too_old" },
    total: 4,
    increase: 4,
  });
});

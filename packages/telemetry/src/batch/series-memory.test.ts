import { StashlightError } from "@stashlight/contracts/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordedWindow } from "../recorder/recorder.ts";
import { recordAll } from "../testing/value-arbitraries.ts";
import { decodeBatch, encodeBatch } from "./batch.ts";
import { SeriesMemories, SeriesMemory } from "./series-memory.ts";

const name = { nodeId: "pod-1", bootId: 7, sequence: 1, gaps: [] };

/** Windows whose series come, go and change order; some have a refused name or value. */
const windowArbitrary: fc.Arbitrary<RecordedWindow> = fc
  .record({
    devices: fc.uniqueArray(fc.constantFrom("s1", "s2", "s3", ""), { maxLength: 4 }),
    strange: fc.boolean(),
    value: fc.constantFrom(0, 3, -1, Number.NaN, 1e300),
    hasHistograms: fc.boolean(),
  })
  .map(({ devices, strange, value, hasHistograms }) => {
    const labels = (device: string) => ({ tier: "stash", device }) as const;
    const window = {
      startMs: 10_000,
      endMs: 20_000,
      histograms: (hasHistograms ? devices : []).map((device) => ({
        metric: "stashlight_fsync_seconds",
        labels: labels(device),
        histogram: recordAll([0.001, 0.002]),
      })),
      counters: devices.map((device) => ({
        metric: "stashlight_fsync_errors_total",
        labels: labels(device),
        total: 9,
        increase: value,
      })),
      gauges: [
        ...(strange ? [{ metric: "cpu", labels: { core: "1" }, value }] : []),
        { metric: "stashlight_client_connections", labels: {}, value },
      ],
    };
    return window as unknown as RecordedWindow;
  });

test("a batch is decoded the same with the memory of earlier batches and without", () => {
  fc.assert(
    fc.property(fc.array(windowArbitrary, { maxLength: 8 }), (windows) => {
      const memory = new SeriesMemory();
      for (const window of windows) {
        const bytes = encodeBatch({ ...name, window });
        expect(decodeBatch(bytes, memory)).toEqual(decodeBatch(bytes));
      }
    }),
  );
});

test("truncated batches are refused, and the next batch is decoded as it would be without earlier batches", () => {
  const [window] = fc.sample(windowArbitrary, 1) as [RecordedWindow];
  const whole = encodeBatch({ ...name, window });
  const memory = new SeriesMemory();
  for (let length = 0; length < whole.length; length += 1) {
    expect(() => decodeBatch(whole.subarray(0, length), memory)).toThrow(StashlightError);
    expect(decodeBatch(whole, memory)).toEqual(decodeBatch(whole));
  }
});

test("a batch with any byte changed is read or refused as it would be without earlier batches", () => {
  const [window] = fc.sample(windowArbitrary, 1) as [RecordedWindow];
  const whole = encodeBatch({ ...name, window });
  const outcome = (bytes: Uint8Array, memory?: SeriesMemory): unknown => {
    try {
      return decodeBatch(bytes, memory);
    } catch (error) {
      return (error as Error).message;
    }
  };
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const memory = new SeriesMemory();
      decodeBatch(whole, memory);
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] as number) ^ change;
      expect(outcome(bytes, memory)).toEqual(outcome(bytes));
    }),
  );
});

test("repeated series share one labels object", () => {
  const window = {
    startMs: 0,
    endMs: 1,
    histograms: [],
    counters: [],
    gauges: [{ metric: "stashlight_agent_info", labels: { tier: "pod", version: "1" }, value: 1 }],
  } as const;
  const memory = new SeriesMemory();
  const read = () => decodeBatch(encodeBatch({ ...name, window }), memory).batch.window.gauges[0]?.labels;
  expect(read()).toBe(read());
});

/** Returns true if this node already has a memory, to which it adds the batch. */
function tell(memories: SeriesMemories, nodeId: string, version = "1"): boolean {
  return memories.with(nodeId, (memory) => {
    const isKnown = memory.series.length > 0;
    const labels = { tier: "pod", version } as const;
    const gauges = [{ metric: "stashlight_agent_info", labels, value: 1 }] as const;
    const window = { startMs: 0, endMs: 1, histograms: [], counters: [], gauges };
    decodeBatch(encodeBatch({ ...name, nodeId, window }), memory);
    return isKnown;
  });
}

test("a full cache drops the nodes whose last batch is oldest", () => {
  const unbounded = new SeriesMemories(Number.MAX_SAFE_INTEGER);
  tell(unbounded, "00");
  const nodeIds = Array.from({ length: 16 }, (_, i) => String(10 + i));
  const memories = new SeriesMemories(nodeIds.length * unbounded.bytes);
  expect(nodeIds.map((nodeId) => tell(memories, nodeId))).not.toContain(true);
  expect(nodeIds.map((nodeId) => tell(memories, nodeId))).not.toContain(false);
  expect(["98", "10", "12", "11"].map((nodeId) => tell(memories, nodeId))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

test("the cache never exceeds its limit in bytes", () => {
  const memories = new SeriesMemories(100_000);
  for (let i = 0; i < 200; i += 1) {
    tell(memories, `node ${i}`, "v".repeat(i % 2 === 0 ? 100 : 200));
    expect(memories.bytes).toBeLessThanOrEqual(100_000);
  }
  expect(memories.bytes).toBeGreaterThan(50_000);
});

test("a batch that would displace many others is not remembered", () => {
  const memories = new SeriesMemories(10_000);
  expect([tell(memories, "a"), tell(memories, "a", "v".repeat(1_000)), tell(memories, "a")]).toEqual([
    false,
    true,
    false,
  ]);
});

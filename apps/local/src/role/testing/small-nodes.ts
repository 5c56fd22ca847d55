/** Nodes with one drive, each of which sends windows of three syncs. */
import { createEnrolmentTokenInput } from "@stashlight/contracts/node";
import { createEnrolmentToken } from "@stashlight/services/node";
import type { TestInstallation } from "@stashlight/services/testing";
import { type EnrolledIdentity, ExponentialHistogram, encodeBatch, enrol } from "@stashlight/telemetry";

export const VALUES = [0.001, 0.002, 0.004];
export const WINDOW_MS = 10_000;

export async function enrolNodes(
  installation: TestInstallation,
  origin: string,
  count: number,
): Promise<EnrolledIdentity[]> {
  const { ctx } = await installation.person("admin");
  const input = createEnrolmentTokenInput.parse({
    vault: "main",
    role: "pod",
    isAutoApproved: true,
    useCountMax: count,
  });
  const { token } = await createEnrolmentToken({ ctx, input });
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const identity = { name: `pod-${i}`, role: "pod" as const, agentVersion: "1.0.0" };
      const result = await enrol({ origin, timeoutMs: 20_000 }, token, identity);
      if (result.type !== "enrolled") throw new Error(JSON.stringify(result));
      return result.identity;
    }),
  );
}

export function makeEncodedBatch(
  nodeId: string,
  bootId: number,
  sequence: number,
  endMs: number,
): Uint8Array {
  const histogram = new ExponentialHistogram();
  for (const value of VALUES) histogram.record(value);
  const labels = { tier: "pod", device: "h1" };
  const counter = { metric: "stashlight_fsync_errors_total", labels, total: sequence, increase: 1 } as const;
  return encodeBatch({
    nodeId,
    bootId,
    sequence,
    gaps: [],
    window: {
      startMs: endMs - WINDOW_MS,
      endMs,
      gauges: [],
      counters: [counter],
      histograms: [{ metric: "stashlight_fsync_seconds", labels, histogram }],
    },
  });
}

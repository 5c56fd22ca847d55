/** Loads of a measurement, and the connections of each of its legs. */
import assert from "node:assert/strict";
import type { MethodPlan } from "@stashlight/benchmark";
import type { BenchmarkOperation, BenchmarkSample } from "@stashlight/contracts/sample";

export type Legs = MethodPlan["legs"];

/** Everything that distinguishes the loads of one measurement; rate, pause and tier are the same in all of its runs. */
export interface Load {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
}

export const listConnections = (legs: Legs): number[] => legs.map(({ connectionCount }) => connectionCount);

/** Load of a sample, with the connections of its leg; the run must contain that leg. */
export function findLoad(
  { operation, sizeBytes, leg = 0 }: BenchmarkSample,
  connectionCounts: readonly number[],
): Load {
  // Pings are sequential and are not a leg of the method's plan.
  const connectionCount = operation === "TCP_CONNECT" ? 1 : connectionCounts[leg];
  assert(
    connectionCount !== undefined,
    `The run has ${connectionCounts.length} legs, but a sample is from leg ${leg}.`,
  );
  return { operation, sizeBytes, connectionCount };
}

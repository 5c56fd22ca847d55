/** The loads of a measurement, and the connections that each of its legs goes over. */
import assert from "node:assert/strict";
import type { MethodPlan } from "@stashlight/benchmark";
import type { BenchmarkOperation, BenchmarkSample } from "@stashlight/contracts/benchmark/sample";

export type Legs = MethodPlan["legs"];

/** All that tells the loads of one measurement apart; rate, pause and tier are the same in all of its runs. */
export interface Load {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
}

export const listConnections = (legs: Legs): number[] => legs.map(({ connectionCount }) => connectionCount);

/** The load that a sample was part of; the connections are those of its leg, which must be among those of the run. */
export function findLoad(
  { operation, sizeBytes, leg = 0 }: BenchmarkSample,
  connectionCounts: readonly number[],
): Load {
  // Pings follow each other, and are no leg of the method's plan.
  const connectionCount = operation === "TCP_CONNECT" ? 1 : connectionCounts[leg];
  assert(
    connectionCount !== undefined,
    `The run has ${connectionCounts.length} legs, and a sample is of leg ${leg}.`,
  );
  return { operation, sizeBytes, connectionCount };
}

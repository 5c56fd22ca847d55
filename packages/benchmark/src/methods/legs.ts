/**
 * Code shared by the methods: sequences of operations over one or many connections, closed-loop or at a constant rate.
 */
import { z } from "zod";
import type { TimedOperation } from "../run/operations.ts";
import type { Session } from "../run/session.ts";
import type { StoredObject } from "../run/stored-objects.ts";
import type { Estimate, Leg } from "./method.ts";

/** Assumed in the time estimate if nothing else is known. */
export const SECONDS_A_REQUEST = 0.1;
const LISTED_KEYS = 1000;
export const CHECKED_KEY_COUNT = 5;
/** Limited because downloads are held in memory until they are compared. */
export const COMPARED_BYTES_IN_FLIGHT_MAX = 268_435_456;

/** Sizes of a run whose objects are each uploaded by one request. */
export const uploadSizes = z
  .array(z.int().min(1).max(104_857_600, "A single upload can have at most 100 MiB."))
  .min(1, "Choose at least one size.")
  .max(10, "A run can have at most 10 sizes.")
  .refine((sizes) => new Set(sizes).size === sizes.length, "Each size may be listed only once.");

export const pingLeg = (pingCount: number): Leg => ({
  operation: "TCP_CONNECT",
  sizeBytes: 0,
  connectionCount: 1,
  sampleCount: pingCount,
  secondsMax: null,
});

/** Adds the overhead of uploads to the estimate: the first request, HEADs of a few objects, and deleting them all. */
export function estimateLegs({
  putCount,
  getCount = 0,
  headCount = 0,
  deleteCount = 0,
  pingCount = 0,
  uploadedBytes,
  downloadedBytes = 0,
  seconds,
  isUpperBound = false,
}: {
  readonly putCount: number;
  readonly getCount?: number;
  readonly headCount?: number;
  readonly deleteCount?: number;
  readonly pingCount?: number;
  readonly uploadedBytes: number;
  readonly downloadedBytes?: number;
  /** Added to the time that requests take. */
  readonly seconds: number;
  readonly isUpperBound?: boolean;
}): Estimate {
  const head = headCount + Math.min(putCount, CHECKED_KEY_COUNT);
  const requestCount = putCount + getCount + headCount + deleteCount + pingCount;
  return {
    requests: {
      put: putCount,
      get: getCount,
      head,
      delete: Math.max(deleteCount, putCount),
      list: 2 + Math.ceil(putCount / LISTED_KEYS),
    },
    uploadedBytes,
    downloadedBytes,
    storedBytes: uploadedBytes,
    writtenBytes: 0,
    seconds: isUpperBound ? seconds : seconds + requestCount * SECONDS_A_REQUEST,
    isUpperBound,
  };
}

type RowOperation = Omit<TimedOperation, "connection">;

export interface RowOfOperations {
  /** Carried out in this order; with a constant rate each has its own start time. */
  readonly operations: Iterable<RowOperation>;
  readonly connectionCount: number;
  /** First of the run's connections to use; 0 by default. */
  readonly firstConnection?: number;
  /** Pause after each answer, on the same connection. */
  readonly pauseMs: number;
  /** Starts per second over all connections, independent of answers; null for a closed loop. */
  readonly ratePerSecond: number | null;
  /** Called after each answer with its object, or with null if the operation failed. */
  readonly onDone?: (operation: RowOperation, object: StoredObject | null) => void;
}

/** Each connection takes the next operation when it is free. */
export async function runOperations(
  session: Session,
  { operations, connectionCount, firstConnection = 0, pauseMs, ratePerSecond, onDone }: RowOfOperations,
  signal: AbortSignal,
): Promise<void> {
  const iterator = operations[Symbol.iterator]();
  const intervalMs = ratePerSecond === null ? null : 1000 / ratePerSecond;
  const beginning = performance.now();
  let startedCount = 0;
  const work = async (connection: number, anySignal: AbortSignal): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      const intendedAt = intervalMs === null ? {} : { intendedAt: beginning + startedCount++ * intervalMs };
      const operation = next.value;
      const object = await session.timed({ pauseMs, ...operation, connection, ...intendedAt }, anySignal);
      onDone?.(operation, object);
    }
  };
  const connections = Array.from({ length: connectionCount }, (_, index) => firstConnection + index);
  await runTogether(connections, work, signal);
}

/** Runs all items concurrently. A failure cancels the others, which would otherwise continue without a caller. */
export async function runTogether<Item, Result>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result[]> {
  const ending = new AbortController();
  const anySignal = AbortSignal.any([signal, ending.signal]);
  const workers = items.map((item) =>
    work(item, anySignal).catch((error: unknown) => {
      ending.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  return Promise.all(workers);
}

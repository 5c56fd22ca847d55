/**
 * Timed operation of a benchmark run, as a runner measures it, the store keeps it and files carry it.
 *
 * The moments of an operation, all on one monotonic clock: s0 it was meant to start, s1 its body was ready and signed,
 * t0 the request was written, t1 it had a socket, t2 the name was resolved, t3 connected, t4 the TLS handshake was
 * done, t5 the last byte was handed to the kernel, t6 the response's headers had come, t7 its body was read. UTC is
 * read once per run; `startedAtMs` is that plus the monotonic distance, and is for display only.
 *
 * A failed or timed-out operation is also a sample: its `wireMs` is the time until it was abandoned, so its true
 * duration is censored, and no statistic may drop it from its counts.
 *
 * Unknown values are absent, never zero. All durations are milliseconds with fractions.
 */

import { z } from "zod";

import { HOUR_MS } from "../time/duration.ts";

export { taggedShareMax } from "./tagged-share.ts";

/**
 * Operation that was timed. The first four are requests, and `TCP_CONNECT` is a ping; the others are drive operations.
 * A `MIXED` sample covers reads and writes together.
 */
export const benchmarkOperations = [
  "PUT",
  "GET",
  "DELETE",
  "HEAD",
  "TCP_CONNECT",
  "READ",
  "WRITE",
  "SYNC",
  "RANDOM_READ",
  "RANDOM_WRITE",
  "MIXED",
] as const;
export type BenchmarkOperation = (typeof benchmarkOperations)[number];

export const benchmarkOutcomes = ["ok", "failed", "timed-out"] as const;

/** The ping was not answered before the end of the pause, or its connection was refused or broken. */
const rttMissingReasons = ["not-in-time", "failed"] as const;

/** No operation may take an hour; a longer time is an error of a clock or unit. */
export const benchmarkDurationMsMax = HOUR_MS;
/** End of the year 9999: later years have no four digits in files. */
const INSTANT_MS_MAX = 253_402_300_799_999;

const durationMs = z.number().min(0).max(benchmarkDurationMsMax);
const instantMs = z.number().min(0).max(INSTANT_MS_MAX);
const count = z.int().min(0);

/** Phases of `wireMs` that were reached. On a reused socket there is no look-up, connect or handshake. */
const benchmarkPhasesSchema = z.strictObject({
  /** t2 - t1 */
  lookupMs: durationMs.optional(),
  /** t3 - t2 */
  connectMs: durationMs.optional(),
  /** t4 - t3 */
  tlsMs: durationMs.optional(),
  /** t5 - t0: until the kernel had the last byte, which does not depend on the server. */
  writtenMs: durationMs.optional(),
  /** t6 - t0: until the response's headers had arrived. */
  headersMs: durationMs.optional(),
  /** t7 - t6: duration of the response's body. */
  bodyMs: durationMs.optional(),
});
export type BenchmarkPhases = z.infer<typeof benchmarkPhasesSchema>;

export const benchmarkSampleSchema = z.strictObject({
  /** Planned time of the run (UTC); samples of different endpoints with the same slot are comparable in pairs. */
  slotMs: instantMs.optional(),
  /** Index in the run, from 0, in order of start; unique in the run. */
  index: count,
  /** Leg of the method's plan, from 0: legs of one operation and size may differ in their connections. */
  leg: count.optional(),
  operation: z.enum(benchmarkOperations),
  outcome: z.enum(benchmarkOutcomes),
  /** Size of the object or record. Zero for pings. */
  sizeBytes: count,
  /** Body bytes that crossed the wire in either direction; less than `sizeBytes` if abandoned. */
  transferredBytes: count,
  /** t0 in UTC. */
  startedAtMs: instantMs,
  /**
   * t0 - s0 if a rate was requested. Latency then counts from s0, which is `intendedDelayMs + wireMs` (`latencyMs`).
   */
  intendedDelayMs: durationMs.optional(),
  /**
   * t7 - t0 of the last attempt: the service time, and the headline of a closed loop. With any outcome but "ok" only a
   * lower bound.
   */
  wireMs: durationMs,
  /** Around the SDK's send(), signing included. */
  sdkMs: durationMs.optional(),
  /** From the first attempt's start to the last one's end, including waits between them. */
  perceivedMs: durationMs,
  /** 1 unless it was retried. */
  attempts: z.int().min(1).max(1000),
  phases: benchmarkPhasesSchema,
  /** True if a connection was opened for it, so that `wireMs` contains the phases of opening. */
  isCold: z.boolean(),
  /** Index of the run's connection, from 0. */
  connection: count.optional(),
  localPort: z.int().min(1).max(65_535).optional(),
  /** Address and port as `203.0.113.7:443` or `[2001:db8::7]:443`. */
  remoteAddress: z.string().min(1).max(300).optional(),
  /** Name of this endpoint in a file with several endpoints. */
  endpoint: z.string().min(1).max(300).optional(),
  objectKey: z.string().min(1).max(1024).optional(),
  httpStatus: z.int().min(100).max(999).optional(),
  /** Error code of S3 (`SlowDown`), the system (`ECONNRESET`) or the measuring tool; present unless "ok". */
  errorCode: z.string().min(1).max(1000).optional(),
  /** The client itself was disturbed during the operation: by a garbage collection or a delayed event loop. */
  isTagged: z.boolean(),
  /** Longest garbage collection and loop delay during the operation. */
  gcMs: durationMs.optional(),
  loopDelayMs: durationMs.optional(),
  /** Between the end of the previous operation on this connection and t0. */
  achievedPauseMs: durationMs.optional(),
  /** Duration of a TCP connection to the same address, in the pause after the operation. */
  rttMs: durationMs.optional(),
  /** Reason why no `rttMs` was measured although a ping was sent; without both fields none was sent. */
  rttMissing: z.enum(rttMissingReasons).optional(),
});
export type BenchmarkSample = z.infer<typeof benchmarkSampleSchema>;

export const taggedGcMsMin = 1;
export const taggedLoopDelayMsMin = 5;

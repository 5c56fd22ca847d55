/**
 * One timed operation of a benchmark run, as a runner measures it, the store keeps it and files carry it.
 *
 * The moments of an operation, all on one monotonic clock: s0 it was meant to start, s1 its body was ready and signed,
 * t0 the request was written, t1 its socket was there, t2 the name was looked up, t3 connected, t4 TLS was agreed on,
 * t5 the last byte was handed to the kernel, t6 the response's headers had come, t7 its body was read. UTC is read once
 * a run; `startedAtMs` is that plus the monotonic distance, and is for display only.
 *
 * A failed or timed-out operation is a sample like any other: its `wireMs` is how long it had taken when it was given
 * up, so the true duration is censored there, and no statistic may drop it from its counts.
 *
 * What is not known is absent, never zero. All durations are milliseconds with fractions.
 */

import { z } from "zod";

import { HOUR_MS } from "../time/duration.ts";

export { taggedShareMax } from "./tagged-share.ts";

/**
 * What was timed. The first four are requests, `TCP_CONNECT` is a ping; the others are of
 * drives. A `MIXED` sample is of reads and writes together.
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

/** The ping was not answered before the pause was over, or its connection was refused or broken. */
const rttMissingReasons = ["not-in-time", "failed"] as const;

/** An hour is longer than any operation is waited for; what is longer is a mistake of a clock or a unit. */
export const benchmarkDurationMsMax = HOUR_MS;
/** The end of the year 9999: later ones have no four digits in files. */
const INSTANT_MS_MAX = 253_402_300_799_999;

const durationMs = z.number().min(0).max(benchmarkDurationMsMax);
const instantMs = z.number().min(0).max(INSTANT_MS_MAX);
const count = z.int().min(0);

/** Parts of `wireMs` that were reached. On a reused socket there is nothing to look up, connect or agree on. */
const benchmarkPhasesSchema = z.strictObject({
  /** t2 - t1 */
  lookupMs: durationMs.optional(),
  /** t3 - t2 */
  connectMs: durationMs.optional(),
  /** t4 - t3 */
  tlsMs: durationMs.optional(),
  /** t5 from t0: until the kernel had the last byte, which says nothing of the server. */
  writtenMs: durationMs.optional(),
  /** t6 from t0: until the response's headers had come. */
  headersMs: durationMs.optional(),
  /** t7 - t6: how long the response's body took. */
  bodyMs: durationMs.optional(),
});
export type BenchmarkPhases = z.infer<typeof benchmarkPhasesSchema>;

export const benchmarkSampleSchema = z.strictObject({
  /** Planned time of the run (UTC); samples of different endpoints with the same slot are comparable in pairs. */
  slotMs: instantMs.optional(),
  /** Place in the run, from 0, in the order of starting; unique in the run. */
  index: count,
  /** The part of the method's plan, from 0: legs of one operation and size may differ in their connections. */
  leg: count.optional(),
  operation: z.enum(benchmarkOperations),
  outcome: z.enum(benchmarkOutcomes),
  /** The size of the object or record. Zero for pings. */
  sizeBytes: count,
  /** The bytes that crossed the wire as body in either direction; less than `sizeBytes` if given up. */
  transferredBytes: count,
  /** t0 in UTC. */
  startedAtMs: instantMs,
  /** t0 - s0 where a rate was asked for. Latency counts from s0 then, which is `intendedDelayMs + wireMs` (`latencyMs`). */
  intendedDelayMs: durationMs.optional(),
  /** t7 - t0 of the last attempt: the service time, and the headline of a closed loop. With another outcome than "ok" only a lower bound. */
  wireMs: durationMs,
  /** Around the SDK's send(), signing included. */
  sdkMs: durationMs.optional(),
  /** From the first attempt's start to the last one's end, waiting between them included. */
  perceivedMs: durationMs,
  /** 1 unless it was tried again. */
  attempts: z.int().min(1).max(1000),
  phases: benchmarkPhasesSchema,
  /** On a connection that was opened for it, so that `wireMs` contains the phases of opening. */
  isCold: z.boolean(),
  /** The run's connection that was used, from 0. */
  connection: count.optional(),
  localPort: z.int().min(1).max(65_535).optional(),
  /** Address and port as `203.0.113.7:443` or `[2001:db8::7]:443`. */
  remoteAddress: z.string().min(1).max(300).optional(),
  /** What a file that holds several endpoints calls this one. */
  endpoint: z.string().min(1).max(300).optional(),
  objectKey: z.string().min(1).max(1024).optional(),
  httpStatus: z.int().min(100).max(999).optional(),
  /** The code of S3 (`SlowDown`), the system (`ECONNRESET`) or the tool that measured; present unless "ok". */
  errorCode: z.string().min(1).max(1000).optional(),
  /** The client itself was disturbed during the operation: by a collection of garbage or a late event loop. */
  isTagged: z.boolean(),
  /** Longest of each that fell into the operation. */
  gcMs: durationMs.optional(),
  loopDelayMs: durationMs.optional(),
  /** Between the end of the operation before on this connection and t0. */
  achievedPauseMs: durationMs.optional(),
  /** A TCP connection to the same address took so long, in the pause after the operation. */
  rttMs: durationMs.optional(),
  /** Why such a connection was made and gave no `rttMs`; with neither field there was none. */
  rttMissing: z.enum(rttMissingReasons).optional(),
});
export type BenchmarkSample = z.infer<typeof benchmarkSampleSchema>;

export const taggedGcMsMin = 1;
export const taggedLoopDelayMsMin = 5;

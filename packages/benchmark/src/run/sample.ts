/** Builds samples from the moments of an exchange or a ping. */
import {
  type BenchmarkPhases,
  type BenchmarkSample,
  benchmarkDurationMsMax,
  taggedGcMsMin,
  taggedLoopDelayMsMin,
} from "@stashlight/contracts/sample";
import type { EndpointFailure } from "../endpoint/failure.ts";
import type { Exchange, Moments } from "../wire/connection.ts";
import type { Ping } from "../wire/ping.ts";
import type { Disturbances } from "./disturbance.ts";
import type { TimedOperation } from "./operations.ts";

/** Fields that are known before disturbances are. */
export type UntaggedSample = Omit<BenchmarkSample, "isTagged" | "gcMs" | "loopDelayMs">;

/** A tenth of a microsecond is finer than any clock here resolves. */
export function ms(value: number): number {
  return Math.min(benchmarkDurationMsMax, Math.max(0, Math.round(value * 10_000) / 10_000));
}

function toPhases({ t0, t3, t4, t5, t6, t7 }: Moments): BenchmarkPhases {
  return {
    ...(t3 === undefined ? {} : { connectMs: ms(t3 - t0) }),
    ...(t3 === undefined || t4 === undefined ? {} : { tlsMs: ms(t4 - t3) }),
    ...(t5 === undefined ? {} : { writtenMs: ms(t5 - t0) }),
    ...(t6 === undefined ? {} : { headersMs: ms(t6 - t0), bodyMs: ms(t7 - t6) }),
  };
}

/** Fields common to all kinds of samples. */
export type CommonPart = Pick<UntaggedSample, "slotMs" | "index" | "leg" | "startedAtMs" | "remoteAddress">;

export interface PerformedExchange {
  /** Last attempt. */
  readonly exchange: Exchange;
  readonly failure: EndpointFailure | null;
  readonly ready: { readonly key: string };
  readonly attempts: number;
  readonly perceivedMs: number;
  /** Null for the first on its connection. */
  readonly achievedPauseMs: number | null;
}

export function sampleOfExchange(
  common: CommonPart,
  { operation, sizeBytes, connection, intendedAt }: TimedOperation,
  { exchange, failure, ready, attempts, perceivedMs, achievedPauseMs }: PerformedExchange,
): UntaggedSample {
  const { moments, result, isCold, localPort, responseBodyBytes } = exchange;
  const sentBytes = moments.t5 === undefined ? 0 : sizeBytes;
  return {
    ...common,
    operation,
    outcome: sampleOutcome(failure),
    sizeBytes,
    transferredBytes: operation === "PUT" ? sentBytes : responseBodyBytes,
    ...(intendedAt === undefined ? {} : { intendedDelayMs: ms(moments.t0 - intendedAt) }),
    wireMs: ms(moments.t7 - moments.t0),
    perceivedMs: ms(perceivedMs),
    attempts,
    phases: toPhases(moments),
    isCold,
    connection,
    ...(localPort === undefined ? {} : { localPort }),
    objectKey: ready.key,
    ...(result.kind === "answered" ? { httpStatus: result.status } : {}),
    ...(failure === null ? {} : { errorCode: failure.code }),
    ...(achievedPauseMs === null ? {} : { achievedPauseMs: ms(achievedPauseMs) }),
  };
}

export interface PerformedBySdk {
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** End of the previous operation; null for the first. */
  readonly before: number | null;
  readonly isCold: boolean;
  readonly failure: EndpointFailure | null;
}

/** The time on the wire is unknown, so the SDK's time replaces it, in runs of a method that states this. */
export function sampleOfSdk(
  common: CommonPart,
  { sizeBytes }: TimedOperation,
  { key, startedAt, endedAt, before, isCold, failure }: PerformedBySdk,
): UntaggedSample {
  const durationMs = ms(endedAt - startedAt);
  return {
    ...common,
    operation: "PUT",
    outcome: sampleOutcome(failure),
    sizeBytes,
    transferredBytes: failure === null ? sizeBytes : 0,
    wireMs: durationMs,
    sdkMs: durationMs,
    perceivedMs: durationMs,
    attempts: 1,
    phases: {},
    isCold,
    connection: 0,
    objectKey: key,
    ...(failure === null ? {} : { errorCode: failure.code }),
    ...(before === null ? {} : { achievedPauseMs: ms(startedAt - before) }),
  };
}

export function sampleOfPing(
  common: CommonPart,
  { startedAt, endedAt, outcome, errorCode, localPort }: Ping,
  before: number | null,
): UntaggedSample {
  const durationMs = ms(endedAt - startedAt);
  return {
    ...common,
    operation: "TCP_CONNECT",
    outcome,
    sizeBytes: 0,
    transferredBytes: 0,
    wireMs: durationMs,
    perceivedMs: durationMs,
    attempts: 1,
    phases: outcome === "ok" ? { connectMs: durationMs } : {},
    isCold: true,
    ...(localPort === undefined ? {} : { localPort }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(before === null ? {} : { achievedPauseMs: ms(startedAt - before) }),
  };
}

function sampleOutcome(failure: EndpointFailure | null): BenchmarkSample["outcome"] {
  if (failure === null) return "ok";
  return failure.kind === "timed-out" ? "timed-out" : "failed";
}

export function withDisturbances(
  sample: UntaggedSample,
  { gcMs, loopDelayMs }: Disturbances,
): BenchmarkSample {
  return {
    ...sample,
    isTagged: (gcMs ?? 0) >= taggedGcMsMin || (loopDelayMs ?? 0) >= taggedLoopDelayMsMin,
    ...(gcMs === undefined ? {} : { gcMs: ms(gcMs) }),
    ...(loopDelayMs === undefined ? {} : { loopDelayMs: ms(loopDelayMs) }),
  };
}

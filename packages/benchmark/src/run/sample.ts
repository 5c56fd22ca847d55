/** Samples from the moments of an exchange or a ping. */
import {
  type BenchmarkPhases,
  type BenchmarkSample,
  benchmarkDurationMsMax,
  taggedGcMsMin,
  taggedLoopDelayMsMin,
} from "@stashlight/contracts";
import type { Moments } from "../wire/connection.ts";
import type { Disturbances } from "./disturbance.ts";

/** All that is known before the disturbances are. */
export type UntaggedSample = Omit<BenchmarkSample, "isTagged" | "gcMs" | "loopDelayMs">;

/** A tenth of a microsecond is less than any clock here tells apart. */
export function ms(value: number): number {
  return Math.min(benchmarkDurationMsMax, Math.max(0, Math.round(value * 10_000) / 10_000));
}

export function phasesOf({ t0, t3, t4, t5, t6, t7 }: Moments): BenchmarkPhases {
  return {
    ...(t3 === undefined ? {} : { connectMs: ms(t3 - t0) }),
    ...(t3 === undefined || t4 === undefined ? {} : { tlsMs: ms(t4 - t3) }),
    ...(t5 === undefined ? {} : { writtenMs: ms(t5 - t0) }),
    ...(t6 === undefined ? {} : { headersMs: ms(t6 - t0), bodyMs: ms(t7 - t6) }),
  };
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

/**
 * What a method is: a plug-in of one file that says what it will do (`plan`), and does it on a session (`run`). Its
 * parameters are a schema in which everything has a default, so that a run can be repeated from what was stored.
 */
import type { BenchmarkOperation } from "@stashlight/contracts/benchmark/sample";
import type { z } from "zod";
import type { Session } from "../run/session.ts";

/** Samples that belong together: one operation at one size over so many connections. */
export interface Leg {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
  /** Samples; null where a time is what ends it. */
  readonly sampleCount: number | null;
  readonly secondsMax: number | null;
}

/** What a run asks of an endpoint, warm-ups, checks and cleaning up included. */
export interface Estimate {
  readonly requests: {
    readonly put: number;
    readonly get: number;
    readonly head: number;
    readonly delete: number;
    readonly list: number;
  };
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** There at the end, before it is cleaned up. */
  readonly storedBytes: number;
  /** The time of pauses and of steps whose length is given, with 100 ms a request where nothing else is known. */
  readonly seconds: number;
  /** It depends on the endpoint how much of it is done; this is the most. */
  readonly isUpperBound: boolean;
}

export interface MethodPlan {
  readonly legs: readonly Leg[];
  readonly estimate: Estimate;
}

/** A figure that is not a sample, such as the time of a whole backup. */
export interface MethodResult {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "s" | "B" | "MB/s" | "1/s" | "1";
  /** What it stands for, in words; an extrapolation says so. */
  readonly label: string;
  readonly isExtrapolated: boolean;
}

export interface MethodPreset {
  readonly name: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Method<P = unknown> {
  readonly name: string;
  /** Counts up when what is measured changes, so that runs before and after are not compared unawares. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly parameters: z.ZodType<P>;
  readonly presets: readonly MethodPreset[];
  /** What a stored choice means that lacks a parameter: the defaults are for new ones, and it measures as before. */
  readonly earlierParameters?: Readonly<Record<string, unknown>>;
  /** It can be run on stores that speak S3 alone. */
  readonly requiresS3?: true;
  /** Whether it asks anything of the store, or only connects. */
  readonly usesStore: boolean;
  plan(parameters: P): MethodPlan;
  /** Rejects with the signal's reason when aborted. */
  run(session: Session, parameters: P, signal: AbortSignal): Promise<readonly MethodResult[]>;
}

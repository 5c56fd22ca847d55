/**
 * Interface of a method, a single-file plug-in that states its work in advance (`plan`). A method for stores works on a
 * session (`run`); one for drives lists the work for the process that has the drive (`work`). Every parameter of its
 * schema has a default, so that a run can be repeated from its stored choice.
 */

import type { DiskCell } from "@stashlight/contracts/disk";
import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import type { z } from "zod";
import type { Session } from "../run/session.ts";

/** Samples that belong together: one operation at one size over one number of connections. */
export interface Leg {
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number;
  readonly connectionCount: number;
  /** Number of samples; null if a time limit ends the leg. */
  readonly sampleCount: number | null;
  readonly secondsMax: number | null;
}

/** Requests that a run sends to an endpoint, including warm-ups, checks and clean-up. */
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
  /** Stored at the end, before the clean-up. */
  readonly storedBytes: number;
  /** Maximum number of bytes written to a drive, including the test file; zero for stores. */
  readonly writtenBytes: number;
  /** Time of pauses and of steps with a fixed length, plus 100 ms per request if nothing else is known. */
  readonly seconds: number;
  /** True if this is a maximum, and the endpoint determines the actual amount. */
  readonly isUpperBound: boolean;
}

export interface MethodPlan {
  readonly legs: readonly Leg[];
  readonly estimate: Estimate;
}

/** Figure that is not a sample, such as the time of a whole backup. */
export interface MethodResult {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "s" | "B" | "MB/s" | "1/s" | "%" | "1";
  /** Meaning in words; an extrapolation is named as such. */
  readonly label: string;
  readonly isExtrapolated: boolean;
}

export interface MethodPreset {
  readonly name: string;
  readonly title: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface MethodBase<P> {
  readonly name: string;
  /** Incremented when the measurement changes, so that runs before and after are not compared by mistake. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly parameters: z.ZodType<P>;
  readonly presets: readonly MethodPreset[];
  /**
   * Values for parameters that a stored choice lacks: those with which it was measured, because defaults are for new
   * choices.
   */
  readonly earlierParameters?: Readonly<Record<string, unknown>>;
  plan(parameters: P): MethodPlan;
}

export interface StoreMethod<P = unknown> extends MethodBase<P> {
  readonly measures: "stores";
  /** Runs only on stores that speak S3. */
  readonly requiresS3?: true;
  /** False for a method that only connects and sends no requests. */
  readonly usesStore: boolean;
  /** Rejects with the signal's reason when aborted. */
  run(session: Session, parameters: P, signal: AbortSignal): Promise<readonly MethodResult[]>;
}

/** Work that packages/disk-benchmark does on a drive. */
export interface DriveWork {
  /** Legs of the plan, in this order. */
  readonly cells: readonly DiskCell[];
  /** Number of times that all cells are measured. */
  readonly runCount: number;
  /** Shuffles the order by the seed. */
  readonly isDrawn: boolean;
  readonly coolDownSeconds: number;
  readonly fileBytes: number;
  readonly writtenBytesMax: number;
  readonly isDirect: boolean;
  readonly tool: "auto" | "fio" | "stashlight";
  /**
   * True if the plan permits measuring a drive on which a stash or pod stores data; the probe's file has to permit it
   * too.
   */
  readonly isBesideVault: boolean;
}

export interface DriveMethod<P = unknown> extends MethodBase<P> {
  readonly measures: "drives";
  work(parameters: P): DriveWork;
}

export type Method<P = unknown> = StoreMethod<P> | DriveMethod<P>;

/**
 * What a method is: a plug-in of one file that says what it will do (`plan`). One that measures stores does it on a
 * session (`run`), one that measures drives lists the work for whoever has the drive (`work`). Its parameters are a
 * schema in which everything has a default, so that a run can be repeated from what was stored.
 */
import type { BenchmarkOperation } from "@stashlight/contracts/benchmark/sample";
import type { DiskCell } from "@stashlight/contracts/disk/cell";
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
  /** What a drive is written at most, the test file included; zero for stores. */
  readonly writtenBytes: number;
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
  readonly unit: "ms" | "s" | "B" | "MB/s" | "1/s" | "%" | "1";
  /** What it stands for, in words; an extrapolation says so. */
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
  /** Counts up when what is measured changes, so that runs before and after are not compared unawares. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly parameters: z.ZodType<P>;
  readonly presets: readonly MethodPreset[];
  /** What a stored choice means that lacks a parameter: the defaults are for new ones, and it measures as before. */
  readonly earlierParameters?: Readonly<Record<string, unknown>>;
  plan(parameters: P): MethodPlan;
}

export interface StoreMethod<P = unknown> extends MethodBase<P> {
  readonly measures: "stores";
  /** It can be run on stores that speak S3 alone. */
  readonly requiresS3?: true;
  /** Whether it asks anything of the store, or only connects. */
  readonly usesStore: boolean;
  /** Rejects with the signal's reason when aborted. */
  run(session: Session, parameters: P, signal: AbortSignal): Promise<readonly MethodResult[]>;
}

/** What packages/disk-benchmark is to do with a drive. */
export interface DriveWork {
  /** Each is a leg of the plan, in this order. */
  readonly cells: readonly DiskCell[];
  /** All cells are measured so often. */
  readonly runCount: number;
  /** In an order that the seed draws. */
  readonly isDrawn: boolean;
  readonly coolDownSeconds: number;
  readonly fileBytes: number;
  readonly writtenBytesMax: number;
  readonly isDirect: boolean;
  readonly tool: "auto" | "fio" | "stashlight";
  /** The plan says that a drive may be measured on which a stash or pod stores; the probe's file has to say it too. */
  readonly isBesideVault: boolean;
}

export interface DriveMethod<P = unknown> extends MethodBase<P> {
  readonly measures: "drives";
  work(parameters: P): DriveWork;
}

export type Method<P = unknown> = StoreMethod<P> | DriveMethod<P>;

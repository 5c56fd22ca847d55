/**
 * What the planner's page asks the console: figures of the fleet for the fields of a plan, and plans that were saved. A
 * plan's input is checked by the planner itself, in the browser and again in the service, so here it is only an object.
 */

import { z } from "zod";
import { reportFields } from "../report-link.ts";
import { DAY_MS } from "../time/duration.ts";
import { instantMs } from "../time/instant.ts";

/** Busiest minutes are told of a day; what is longer is asked for in parts. */
const liveInputsRangeMsMax = 7 * DAY_MS;

export const liveInputsInput = z
  .object({
    fromMs: instantMs,
    toMs: instantMs,
    /** Absent: the first that is no simulation and whose coordinator was heard of in the time. */
    vault: z.string().min(1).max(63).optional(),
  })
  .refine(({ fromMs, toMs }) => toMs > fromMs && toMs - fromMs <= liveInputsRangeMsMax, {
    message: "A range ends after it begins and is at most 7 days long.",
    path: ["toMs"],
  });
export type LiveInputsQuestion = z.output<typeof liveInputsInput>;

/** Whether a figure is of real devices; the least certain of what went in counts. */
export type LiveBasis = "measured" | "modelled" | "simulated";

/** Where a figure of the fleet comes from. */
export interface LiveSource {
  /** The metrics and how the figure was made of them, in one sentence. */
  readonly source: string;
  /** The age of the newest window that went in; null for what the inventory says. */
  readonly ageSeconds: number | null;
  readonly n: number;
  /** What was counted: "uploads", "syncs". */
  readonly nUnit: string;
  /** Between which the figure lay, and over what: "hours", "drives"; null where there is only one. */
  readonly range: { readonly low: number; readonly high: number; readonly over: string } | null;
  readonly basis: LiveBasis;
}

export interface LiveFigure extends LiveSource {
  readonly value: number;
}

/** A figure, or the sentence why there is none. */
export type Live<Figure> =
  | { readonly figure: Figure; readonly missing: null }
  | { readonly figure: null; readonly missing: string };

export interface LiveObjectClass {
  readonly sizeClass: string;
  readonly bytes: number;
  readonly share: number;
  readonly uploadCount: number;
}

export interface LiveMix extends LiveSource {
  readonly classes: readonly LiveObjectClass[];
}

export interface LiveScheme extends LiveSource {
  readonly dataShards: number;
  readonly parityShards: number;
}

export interface LivePool extends LiveSource {
  readonly servers: number;
  /** The drives of the server that has the fewest. */
  readonly drivesPerServer: number;
  readonly driveCount: number;
  /** The mean size of all segments of a drive. */
  readonly driveCapacityBytes: number;
}

/** The fill of the vaults behind one endpoint together, and when another vault is due. */
export interface LiveAddVault extends LiveSource {
  readonly vaults: readonly string[];
  readonly fill: number;
  /** They are that full already, will be, grow too little for a forecast, or have too short a history. */
  readonly state: "due" | "growing" | "not-soon" | "unknown";
  /** When they reach `vaultMarks.warningShare`: "80 % full in 3 to 9 days, from 12 days of history". */
  readonly forecast: string;
}

/** A load with the time over which it was counted: half an hour is no load to judge a pool by. */
export interface LiveLoad extends LiveFigure {
  readonly measuredSeconds: number;
}

/** Figures of one vault, by the field of a plan that takes them. */
export interface LiveInputs {
  readonly vault: string | null;
  readonly vaults: readonly { readonly name: string; readonly isSimulated: boolean }[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly uploadsPerSecond: Live<LiveLoad>;
  readonly peakFactor: Live<LiveFigure>;
  readonly growthPerYear: Live<LiveFigure>;
  readonly objects: Live<LiveMix>;
  readonly residenceSecondsMean: Live<LiveFigure>;
  readonly residenceSecondsP99: Live<LiveFigure>;
  readonly fsyncPerSecond: Live<LiveFigure>;
  readonly shardsPerCommit: Live<LiveFigure>;
  readonly logWriteAmplification: Live<LiveFigure>;
  readonly scheme: Live<LiveScheme>;
  readonly installed: Live<LivePool>;
  readonly addVault: Live<LiveAddVault>;
}

const scenarioName = z
  .string()
  .trim()
  .min(1, "Give the plan a name.")
  .max(80, "A name has at most 80 characters.");
const note = z.string().trim().max(2000, "A note has at most 2,000 characters.").default("");
const planInput = z.record(z.string(), z.unknown());
/** Each at most once for an input; the planner checks them, here they are only objects. */
const ranges = z
  .array(z.record(z.string(), z.unknown()))
  .max(100, "A plan has at most 100 ranges.")
  .default([]);
const aroundShare = z
  .number("Write a number.")
  .min(0, "Ranges around inputs are 0 to 90 %.")
  .max(0.9, "Ranges around inputs are 0 to 90 %.")
  .default(0.2);
const asked = { note, input: planInput, ranges, aroundShare };

export const scenarioIdInput = z.object({ scenarioId: z.uuid("There is no such plan.") });
export const createScenarioInput = z.object({ name: scenarioName, ...asked });
export const updateScenarioInput = scenarioIdInput.extend({
  ...asked,
  /** When the plan that was changed was last saved, so that nobody overwrites what they have not seen. */
  updatedAtMs: instantMs,
});
export const renameScenarioInput = scenarioIdInput.extend({ name: scenarioName });
export const deleteScenarioInput = scenarioIdInput.extend({
  /** Typed by the person, so that it is the plan they mean. */
  name: z.string().max(100),
});
export const sharePlanInput = scenarioIdInput.extend(reportFields);

export interface ScenarioRow {
  id: string;
  name: string;
  note: string;
  isDefault: boolean;
  createdAt: Date;
  createdByName: string;
  updatedAt: Date;
  updatedByName: string;
}

/** What was asked, and how sure it is. */
export interface AskedPlan {
  /** planner's StashPlanInput. */
  input: Record<string, unknown>;
  /** planner's UncertainRange, of those inputs whose range somebody gave. */
  ranges: Record<string, unknown>[];
  /** How far around its figure every other input is drawn. */
  aroundShare: number;
}

export interface PlanScenario extends ScenarioRow, AskedPlan {}

/** What a holder of the link reads: what was asked, from which the answer is computed where it is shown. */
export interface PlanReportDocument extends AskedPlan {
  title: string;
  name: string;
  note: string;
  createdAt: Date;
}

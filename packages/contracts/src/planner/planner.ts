/**
 * Requests of the planner's page: figures of the fleet for the fields of a plan, and saved plans. A plan's input is
 * checked by the planner itself, in the browser and again in the service, so here it is only an object.
 */

import { z } from "zod";
import { nameSchema } from "../name.ts";
import { reportFields } from "../report-link.ts";
import { DAY_MS } from "../time/duration.ts";
import { instantMs } from "../time/instant.ts";

/** Busiest minutes are computed per day; longer ranges are requested in parts. */
const liveInputsRangeMsMax = 7 * DAY_MS;

export const liveInputsInput = z
  .object({
    fromMs: instantMs,
    toMs: instantMs,
    /** Default: real vaults first, then those that reported in the range, then by name. */
    vault: z.string().min(1).max(63).optional(),
  })
  .refine(({ fromMs, toMs }) => toMs > fromMs && toMs - fromMs <= liveInputsRangeMsMax, {
    message: "A range must end after it begins and be at most 7 days long.",
    path: ["toMs"],
  });
export type LiveInputsQuestion = z.output<typeof liveInputsInput>;

/** Origin of a figure: real, modelled or simulated devices; the least certain input counts. */
export type LiveBasis = "measured" | "modelled" | "simulated";

/** Source of a figure of the fleet. */
export interface LiveSource {
  /** Metrics and computation behind the figure, in one sentence. */
  readonly source: string;
  /** Age of the newest window in it; null for figures of the inventory. */
  readonly ageSeconds: number | null;
  readonly n: number;
  /** Counted items: "uploads", "syncs". */
  readonly nUnit: string;
  /** Range of the figure, and its dimension: "hours", "drives"; null if there is only one. */
  readonly range: { readonly low: number; readonly high: number; readonly over: string } | null;
  readonly basis: LiveBasis;
}

export interface LiveFigure extends LiveSource {
  readonly value: number;
}

/** A figure, or a sentence that explains why it is missing. */
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
  /** Number of drives in the server with the fewest. */
  readonly drivesPerServer: number;
  readonly driveCount: number;
  /** Mean size of all segments of a drive. */
  readonly driveCapacityBytes: number;
}

/** Fill of the vaults behind one endpoint together, and the forecast of when another vault is needed. */
export interface LiveAddVault extends LiveSource {
  readonly vaults: readonly string[];
  readonly fill: number;
  /** State: full already, filling, growing too slowly for a forecast, or with too short a history. */
  readonly state: "due" | "growing" | "not-soon" | "unknown";
  /** Time when they reach `vaultMarks.warningShare`: "80 % full in 3 to 9 days, from 12 days of history". */
  readonly forecast: string;
}

/** Load with the time over which it was counted, because half an hour is too short to judge a pool. */
export interface LiveLoad extends LiveFigure {
  readonly measuredSeconds: number;
}

/** Figures of one vault, by the field of a plan that takes them. */
export interface LiveInputs {
  readonly vault: string | null;
  readonly vaults: readonly { readonly name: string; readonly isSimulated: boolean }[];
  readonly fromMs: number;
  readonly toMs: number;
  /** Time of the answer, to which its ages refer. */
  readonly answeredAtMs: number;
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

const scenarioName = nameSchema(80);
const note = z.string().trim().max(2000, "A note can have at most 2,000 characters.").default("");
const planInput = z.record(z.string(), z.unknown());
/** Ranges, at most one per input; the planner checks them, so here they are plain objects. */
const ranges = z
  .array(z.record(z.string(), z.unknown()))
  .max(100, "A plan can have at most 100 ranges.")
  .default([]);
const aroundShare = z
  .number("Enter a number.")
  .min(0, "Ranges around inputs must be from 0 to 90 %.")
  .max(0.9, "Ranges around inputs must be from 0 to 90 %.")
  .default(0.2);
const loadMeasuredSeconds = z.number().nonnegative().nullable().default(null);
const asked = { note, input: planInput, ranges, aroundShare, loadMeasuredSeconds };

export const scenarioIdInput = z.object({ scenarioId: z.uuid("There is no such plan.") });
export const createScenarioInput = z.object({ name: scenarioName, ...asked });
export const updateScenarioInput = scenarioIdInput.extend({
  ...asked,
  /** Time of the last save on which the change is based, so that no user overwrites an unseen change. */
  updatedAtMs: instantMs,
});
export const renameScenarioInput = scenarioIdInput.extend({ name: scenarioName });
export const deleteScenarioInput = scenarioIdInput.extend({
  /** Typed by the user to confirm the plan. */
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

/** Inputs of a plan, and their certainty. */
export interface AskedPlan {
  /** The planner's StashPlanInput. */
  input: Record<string, unknown>;
  /** The planner's UncertainRange for each input with a given range. */
  ranges: Record<string, unknown>[];
  /** Relative spread of every other input around its figure. */
  aroundShare: number;
  /** Time for which the fleet's load had been measured when the plan took it; null for a load of the plan's own. */
  loadMeasuredSeconds: number | null;
}

export interface PlanScenario extends ScenarioRow, AskedPlan {}

/** Content of a shared plan: the inputs, from which the answer is computed where it is shown. */
export interface PlanReportDocument extends AskedPlan {
  title: string;
  name: string;
  note: string;
  createdAt: Date;
}

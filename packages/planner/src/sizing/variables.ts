/**
 * The inputs that can be turned up and down one at a time: what sensitivities and uncertain ranges speak of. Choices of
 * which a fifth more makes no sense, such as the scheme, are not among them.
 */

import { meanOverMix } from "./plan.ts";
import { type DriveFigure, planRules } from "./rules.ts";
import type { StashPlanInput } from "./types.ts";

export const planVariables = [
  "uploadsPerSecond",
  "objects.bytes",
  "peakFactor",
  "growthPerYear",
  "horizonYears",
  "residenceSecondsMean",
  "residenceSecondsP99",
  "outageSeconds",
  "drivesPerServer",
  "recordHeaderBytes",
  "usableFraction",
  "maxFill",
  "maxUtilisation",
  "logWriteAmplification",
  "deviceWriteAmplificationRatio",
  "writesPerShard",
  "purgeWritesPerShard",
  "shardsPerCommit",
  "serviceYears",
  "drive.capacityBytes",
  "drive.writeBytesPerSecond",
  "drive.writeIops",
  "drive.fsyncPerSecond",
  "drive.driveWritesPerDay",
  "drive.warrantyYears",
] as const;
/** `objects.bytes` is the mean size of the mix; to change it scales every size alike. Whole numbers are rounded. */
export type PlanVariable = (typeof planVariables)[number];

/** A copy of an input that belongs to its maker, who may change it before each sizing. */
export interface InputDraft {
  readonly of: StashPlanInput;
  readonly input: StashPlanInput;
}

type OwnVariable = Exclude<PlanVariable, `${string}.${string}`>;

export function draftOf(input: StashPlanInput): InputDraft {
  return { of: input, input: { ...input, drive: { ...input.drive }, objects: [...input.objects] } };
}

export function readVariable(input: StashPlanInput, variable: PlanVariable): number {
  if (variable === "objects.bytes") return meanOverMix(input.objects, (bytes) => bytes);
  const figure = driveFigureOf(variable);
  return figure === null ? input[variable as OwnVariable] : input.drive[figure];
}

export function writeVariable({ of, input }: InputDraft, variable: PlanVariable, value: number): void {
  if (variable === "objects.bytes") {
    const factor = value / readVariable(of, variable);
    input.objects = of.objects.map(({ bytes, share }) => ({
      bytes: Math.max(1, Math.round(bytes * factor)),
      share,
    }));
    return;
  }
  const figure = driveFigureOf(variable);
  if (figure !== null) input.drive[figure] = value;
  else {
    const own = variable as OwnVariable;
    input[own] = planRules[own].isWhole ? Math.round(value) : value;
  }
}

const DRIVE_PREFIX = "drive.";

function driveFigureOf(variable: PlanVariable): DriveFigure | null {
  return variable.startsWith(DRIVE_PREFIX) ? (variable.slice(DRIVE_PREFIX.length) as DriveFigure) : null;
}

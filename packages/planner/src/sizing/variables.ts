/**
 * Inputs that can be varied one at a time, for sensitivities and uncertain ranges. Choices that cannot grow by a fifth,
 * such as the scheme, are excluded.
 */

import { meanOverMix } from "./mix.ts";
import type { DriveInput, StashPlanInput } from "./plan-types.ts";
import { isNumberRow, type Row } from "./rows/row.ts";
import { numberRowAt, type PlanPath, type PlanRows, planRows } from "./table.ts";

const DRIVE_PREFIX = "drive.";

/**
 * `objects.bytes` is the mean size of the mix; changing it scales every size equally, each on its side of the largest
 * small upload. Integers are rounded.
 */
export type PlanVariable = {
  [Path in PlanPath]: PlanRows[Path] extends { readonly isVariable: true } ? Path : never;
}[PlanPath];

/** Sorts the drive's inputs last, which decides among inputs of equal effect. */
export const planVariables: readonly PlanVariable[] = Object.entries<Row>(planRows)
  .flatMap(([path, row]) => (isNumberRow(row) && row.isVariable ? [path as PlanVariable] : []))
  .sort((a, b) => Number(a.startsWith(DRIVE_PREFIX)) - Number(b.startsWith(DRIVE_PREFIX)));

/** Copy of an input that its caller may change before each sizing. */
export interface InputDraft {
  readonly of: StashPlanInput;
  readonly input: StashPlanInput;
}

type DriveFigure = Exclude<keyof DriveInput, "name">;
type OwnVariable = Exclude<PlanVariable, `${string}.${string}`>;

export function copyInput(input: StashPlanInput): InputDraft {
  return { of: input, input: { ...input, drive: { ...input.drive }, objects: [...input.objects] } };
}

export function readVariable(input: StashPlanInput, variable: PlanVariable): number {
  if (variable === "objects.bytes") return meanOverMix(input.objects, (bytes) => bytes);
  const figure = driveFigure(variable);
  return figure === null ? input[variable as OwnVariable] : input.drive[figure];
}

export function writeVariable({ of, input }: InputDraft, variable: PlanVariable, value: number): void {
  if (variable === "objects.bytes") {
    const factor = value / readVariable(of, variable);
    const { smallUploadBytesMax: limit } = of;
    input.objects = of.objects.map(({ bytes, share }) => {
      const scaled = Math.max(1, Math.round(bytes * factor));
      return { bytes: bytes <= limit ? Math.min(limit, scaled) : Math.max(limit + 1, scaled), share };
    });
    return;
  }
  const figure = driveFigure(variable);
  if (figure !== null) input.drive[figure] = value;
  else {
    const own = variable as OwnVariable;
    input[own] = numberRowAt(own)?.isWhole ? Math.round(value) : value;
  }
}

function driveFigure(variable: PlanVariable): DriveFigure | null {
  return variable.startsWith(DRIVE_PREFIX) ? (variable.slice(DRIVE_PREFIX.length) as DriveFigure) : null;
}

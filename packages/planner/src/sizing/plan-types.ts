/**
 * Inputs of a sizing, derived from the table of inputs, in SI bytes, seconds and US dollars; shares and ceilings are
 * fractions of one.
 */
import type { PlanPart, PlanPath, PlanRows } from "./table.ts";

type Figure<Of extends { readonly default: unknown }> = Of["default"] extends string
  ? string
  : null extends Of["default"]
    ? number | null
    : number;

type Part<Name extends PlanPart> = {
  -readonly [Path in PlanPath as Path extends `${Name}.${infer Leaf}` ? Leaf : never]: Figure<PlanRows[Path]>;
};
type Own = {
  -readonly [Path in PlanPath as Path extends `${string}.${string}` ? never : Path]: Figure<PlanRows[Path]>;
};

export type DriveInput = Part<"drive">;
/** Shares of a mix are relative weights and need not add up to one. */
export type ObjectClass = Part<"objects">;
export type PoolInput = Part<"installed">;

export interface StashPlanInput extends Own {
  /** Sizes above the largest small upload go straight to the pods and need no stash. */
  objects: ObjectClass[];
  drive: DriveInput;
  /** Installed pool; null if nothing is installed. */
  installed: PoolInput | null;
}

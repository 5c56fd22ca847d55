/** Sensitivity of the answer: each input 20 % lower and higher, all others unchanged, within the input's bounds. */

import type { StashPlanInput } from "../sizing/plan-types.ts";
import { type ConstraintName, planStash, type StashPlan } from "../sizing/required-drives.ts";
import { boundsAt } from "../sizing/table.ts";
import {
  copyInput,
  type PlanVariable,
  planVariables,
  readVariable,
  writeVariable,
} from "../sizing/variables.ts";

const SENSITIVITY_STEP = 0.2;

export interface Variation {
  readonly value: number;
  /** Fractional number of drives that the binding constraint needs. */
  readonly loadDrives: number;
  readonly drivesForLoad: number;
  readonly drives: number;
  readonly bindingConstraint: ConstraintName;
}

export interface Sensitivity {
  readonly variable: PlanVariable;
  readonly value: number;
  readonly low: Variation;
  readonly high: Variation;
  /** Largest change in the number of drives that the load needs, as a fraction. */
  readonly loadEffect: number;
  /** Largest change in the number of drives of the pool, as a fraction. */
  readonly drivesEffect: number;
  readonly changesBinding: boolean;
}

/** Strongest first. Inputs of 0, which cannot vary by 20 %, are omitted, and so are those without an effect. */
export function planSensitivities(input: StashPlanInput, plan: StashPlan): Sensitivity[] {
  const loadDrives = plan.drivesByConstraint[plan.bindingConstraint];
  return planVariables
    .filter((variable) => readVariable(input, variable) !== 0)
    .map((variable): Sensitivity => {
      const value = readVariable(input, variable);
      const low = varyInput(input, variable, value * (1 - SENSITIVITY_STEP));
      const high = varyInput(input, variable, value * (1 + SENSITIVITY_STEP));
      const relativeChange = (figure: (variation: Variation) => number, present: number): number =>
        Math.max(Math.abs(figure(low) - present), Math.abs(figure(high) - present)) / present;
      return {
        variable,
        value,
        low,
        high,
        loadEffect: relativeChange((variation) => variation.loadDrives, loadDrives),
        drivesEffect: relativeChange(({ drives }) => drives, plan.drives),
        changesBinding: [low, high].some((side) => side.bindingConstraint !== plan.bindingConstraint),
      };
    })
    .filter(({ loadEffect, drivesEffect }) => loadEffect > 0 || drivesEffect > 0)
    .sort((a, b) => b.loadEffect - a.loadEffect || b.drivesEffect - a.drivesEffect);
}

function varyInput(input: StashPlanInput, variable: PlanVariable, wanted: number): Variation {
  const bounds = boundsAt(variable);
  const value = bounds === null ? wanted : Math.min(bounds.max, Math.max(bounds.min, wanted));
  const draft = copyInput(input);
  writeVariable(draft, variable, value);
  const { drivesByConstraint, bindingConstraint, drivesForLoad, drives } = planStash(draft.input);
  return {
    value,
    loadDrives: drivesByConstraint[bindingConstraint],
    drivesForLoad,
    drives,
    bindingConstraint,
  };
}

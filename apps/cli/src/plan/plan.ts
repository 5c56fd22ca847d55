/** `plan`: number of SSDs that the stash needs, with the reasons. */
import type { Readable } from "node:stream";
import { defaultPlanInput, explainPlan, type InputProblem, type StashPlanInput } from "@stashlight/planner";
import type { PlanCommand } from "./arguments.ts";
import { readPlanInput } from "./plan-input.ts";
import { renderAnswer } from "./render.ts";

export interface PlanSurroundings {
  readonly say: (line: string) => void;
  /** Prints a line about invalid input. */
  readonly complain: (line: string) => void;
  readonly stdin: Readable;
}

const SUFFICES = 0;
const BAD_INPUT = 1;
const DOES_NOT_SUFFICE = 2;
const TOO_FEW_NINES = 3;

/** Resolves to the exit code. */
export async function showPlan(command: PlanCommand, surroundings: PlanSurroundings): Promise<number> {
  const { say, complain, stdin } = surroundings;
  const { input, problems } = await readPlanInput(command.input, stdin, inputChanges(command));
  if (input === null) return refuse(problems, command.isJson, { say, complain });
  return printAnswer(input, command, say);
}

/** Inputs from the command line; required nines become the plan's target. */
export function inputChanges({ changes, requiredNines }: Pick<PlanCommand, "changes" | "requiredNines">) {
  return requiredNines === null ? changes : { ...changes, ninesTarget: requiredNines };
}

type PlanOutput = Pick<PlanSurroundings, "say" | "complain">;

/** Prints one sentence per mistake; returns the exit code. */
export function refuse(
  problems: readonly InputProblem[],
  isJson: boolean,
  { say, complain }: PlanOutput,
): number {
  if (isJson) say(JSON.stringify({ problems }, null, 2));
  else for (const { field, message } of problems) complain(field === "" ? message : `${field}: ${message}`);
  return BAD_INPUT;
}

/** Prints the answer as JSON with additional fields; returns the exit code. */
export function printAnswer(
  input: StashPlanInput,
  { isJson, requiredNines }: Pick<PlanCommand, "isJson" | "requiredNines">,
  say: PlanOutput["say"],
  besides: Readonly<Record<string, unknown>> = {},
): number {
  const answer = explainPlan(input);
  const suffices = answer.installed?.suffices ?? null;
  if (isJson) say(JSON.stringify({ suffices, ...besides, input, answer }, null, 2));
  else for (const line of renderAnswer(input, answer)) say(line);
  if (suffices === false) return DOES_NOT_SUFFICE;
  return requiredNines !== null && !answer.durability.durability?.meetsTarget ? TOO_FEW_NINES : SUFFICES;
}

/** Prints an example input; resolves to the exit code. */
export function showExample(say: (line: string) => void): number {
  say(JSON.stringify(defaultPlanInput, null, 2));
  return 0;
}

/** Reads a plan's input from a file or standard input: JSON, checked, with one sentence per mistake. */
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import {
  checkStashPlanInput,
  defaultPlanInput,
  type InputProblem,
  planFields,
  type StashPlanInput,
} from "@stashlight/planner";
import type { PlanSource } from "./arguments.ts";

export type ReadInput =
  | { readonly input: StashPlanInput; readonly problems: readonly [] }
  | { readonly input: null; readonly problems: readonly InputProblem[] };

/** Reads a file's input with changes by name. Never throws for mistakes that the user can fix. */
export async function readPlanInput(
  from: PlanSource,
  stdin: Readable,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<ReadInput> {
  if (from === "example") return checkPlan({ ...defaultPlanInput, ...changes });
  const { path } = from;
  const source = path ?? "standard input";
  let json: string;
  try {
    json = path === null ? await text(stdin) : await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code ?? String(error)})`;
    return refused("", `${source}: ${why}.`);
  }
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch (error) {
    return refused("", `${source} is not JSON: ${(error as Error).message}.`);
  }
  const plan = withinAnswer(given);
  return checkPlan(isRecord(plan) ? { ...plan, ...changes } : plan);
}

function checkPlan(plan: unknown): ReadInput {
  const unknown = unknownFields(plan);
  const checked = checkStashPlanInput(plan);
  if (checked.input !== null && unknown.length === 0) return checked;
  return { input: null, problems: [...gatherMissing(checked.problems, plan), ...unknown] };
}

const MISSING_SHOWN_MAX = 3;

/** Merges many missing inputs into one sentence; a line for each would hide the other mistakes. */
function gatherMissing(problems: readonly InputProblem[], plan: unknown): InputProblem[] {
  const isMissing = ({ field }: InputProblem): boolean => field !== "" && !hasPath(plan, field);
  const missing = problems.filter(isMissing);
  if (missing.length <= MISSING_SHOWN_MAX) return [...problems];
  const names = missing.slice(0, MISSING_SHOWN_MAX).map(({ field }) => field);
  const rest = missing.length - names.length;
  return [
    ...problems.filter((problem) => !isMissing(problem)),
    {
      field: "",
      message: `${missing.length} inputs are missing: ${names.join(", ")} and ${rest} more. Start from the output of npm run stashlight -- plan --example.`,
    },
  ];
}

function hasPath(value: unknown, path: string): boolean {
  const [head = "", ...rest] = path.split(".");
  if (typeof value !== "object" || value === null || !(head in value)) return false;
  return rest.length === 0 || hasPath((value as Record<string, unknown>)[head], rest.join("."));
}

function refused(field: string, message: string): ReadInput {
  return { input: null, problems: [{ field, message }] };
}

/** The output of `--json` contains its input, so that the output can be reused. */
function withinAnswer(given: unknown): unknown {
  return isRecord(given) && isRecord(given.input) ? given.input : given;
}

const known: ReadonlySet<string> = new Set(
  planFields.flatMap(({ path }) => {
    const [head = path] = path.split(".");
    return [head, path];
  }),
);

/** A misspelt name must not pass as a missing input. */
function unknownFields(given: unknown): InputProblem[] {
  return fieldPaths(given, "")
    .filter((path) => !known.has(path.replace(/\.\d+/, "")))
    .map((field) => ({
      field,
      message: "There is no input of this name; npm run stashlight -- plan --example shows all.",
    }));
}

/** Paths of all names; the names inside an object follow it. */
function fieldPaths(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((part, at) => fieldPaths(part, `${path}.${at}`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    return [inner, ...fieldPaths(part, inner)];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

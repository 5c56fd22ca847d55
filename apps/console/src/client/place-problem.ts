import type { Problem } from "./errors.ts";

/** Shows each error at its field; the first one above all fields if the form does not have its field. */
export function placeProblem<Field extends string>(problem: Problem | null, fields: readonly Field[]) {
  const problems = problem === null ? [] : [problem, ...(problem.others ?? [])];
  const isInPlace = fields.some((field) => field === problem?.field);
  return {
    errorOf: (field: Field) => problems.find((each) => each.field === field)?.message,
    formError: isInPlace ? null : (problem?.message ?? null),
  };
}

/** Server error for a submission. */
export interface FormProblem {
  readonly message: string;
  /** Path of the affected field, as named by the server. */
  readonly field: string | null;
  /** Errors of further fields. */
  readonly others?: readonly { readonly message: string; readonly field: string }[] | undefined;
}

export interface PlacedProblems {
  /** First error about no field of the form. */
  readonly formError: string | null;
  /** First error of each field, by its name. */
  readonly atFields: Readonly<Record<string, string>>;
}

/** Assigns the errors of a submission to the fields that a form shows. */
export function placeProblems(
  problem: FormProblem,
  fieldAt: (path: string | null) => string | null,
): PlacedProblems {
  const placed = [problem, ...(problem.others ?? [])].map(({ message, field }) => ({
    message,
    name: fieldAt(field),
  }));
  const atFields: Record<string, string> = {};
  for (const { message, name } of placed) if (name !== null) atFields[name] ??= message;
  return { formError: placed.find(({ name }) => name === null)?.message ?? null, atFields };
}

/** An error for a page: a sentence, the field that it is about, and the request's id in the log. */
import { TRPCClientError } from "@trpc/client";

export interface Problem {
  message: string;
  /** Error code of the product (see errorStatus in contracts); `network` if no answer came. */
  reason: string;
  field: string | null;
  requestId: string | null;
}

const noAnswer: Problem = {
  message: "Stashlight does not answer; check that it is running and that you are connected.",
  reason: "network",
  field: null,
  requestId: null,
};

export function toProblem(error: unknown): Problem {
  if (!(error instanceof TRPCClientError)) return noAnswer;
  const data = error.data as Partial<Problem> | null | undefined;
  if (!data) return noAnswer;
  return {
    message: error.message,
    reason: data.reason ?? "internal",
    field: data.field ?? null,
    requestId: data.requestId ?? null,
  };
}

/** Shows an error at its field if the form has that field, otherwise above all fields. */
export function placeProblem<Field extends string>(problem: Problem | null, fields: readonly Field[]) {
  const isInPlace = fields.some((field) => field === problem?.field);
  return {
    errorOf: (field: Field) => (problem?.field === field ? problem.message : undefined),
    formError: isInPlace ? null : (problem?.message ?? null),
  };
}

export function describeError(error: unknown): string {
  return toProblem(error).message;
}

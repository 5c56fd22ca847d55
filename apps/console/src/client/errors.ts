/** What went wrong, as a page needs it: a sentence, the field it is about, and the id under which the log knows it. */
import { TRPCClientError } from "@trpc/client";

export interface Problem {
  message: string;
  /** The error code of the product (see contracts' errorStatus); `network` when no answer came. */
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

/** Where a form shows a problem: at the field it is about when the form has that one, else above all of them. */
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

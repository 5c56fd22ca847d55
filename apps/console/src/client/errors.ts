/** An error for a page: a sentence, the field that it is about, and the request's id in the log. */
import { TRPCClientError } from "@trpc/client";

export interface Problem {
  message: string;
  /** Error code of the product (see errorStatus in contracts); `network` if no answer came. */
  reason: string;
  field: string | null;
  /** Errors of further fields. */
  others?: readonly { message: string; field: string }[] | undefined;
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
    others: data.others,
    requestId: data.requestId ?? null,
  };
}

export function describeError(error: unknown): string {
  return toProblem(error).message;
}

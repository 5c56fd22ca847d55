"use client";
import { ErrorState } from "@stashlight/ui/feedback";
import { toProblem } from "../../client/errors.ts";

/** Shows a query's error in place: what could not be loaded, why, and a retry button. */
export function QueryError({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  const problem = toProblem(error);
  return (
    <ErrorState
      title={`${what} could not be loaded`}
      reason={problem.message}
      advice={
        problem.requestId === null
          ? "Try again."
          : "Try again; the console's log has details under the request's id."
      }
      {...(problem.requestId === null ? {} : { requestId: problem.requestId })}
      onRetry={onRetry}
    />
  );
}

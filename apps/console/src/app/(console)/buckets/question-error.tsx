"use client";
import { ErrorState } from "@stashlight/ui/feedback";
import { QueryError } from "../query-state.tsx";
import { QuestionFailure } from "./bucket-questions.ts";

interface QuestionErrorProps {
  readonly what: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function QuestionError({ what, error, onRetry }: QuestionErrorProps) {
  if (!(error instanceof QuestionFailure)) return <QueryError what={what} error={error} onRetry={onRetry} />;
  return <ErrorState title={error.title} reason={error.message} onRetry={onRetry} />;
}

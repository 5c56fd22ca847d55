"use client";
import { useState } from "react";

/**
 * Answers to several queries, or undefined until all have arrived. Answers to the same queries for an earlier time stay
 * until the next are complete, and unchanged ones keep their identity.
 */
export function useKept<Answer>(
  answers: readonly Answer[] | undefined,
  question: string,
): readonly Answer[] | undefined {
  const [kept, setKept] = useState<{ question: string; answers: readonly Answer[] }>();
  if (kept?.question === question && (answers === undefined || isSame(answers, kept.answers))) {
    return kept.answers;
  }
  if (answers !== undefined) setKept({ question, answers });
  return answers;
}

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((answer, index) => answer === others[index]);

"use client";
import { useState } from "react";

/**
 * Returns the answers to several queries, or undefined until all have arrived. Keeps the answers of the previous time
 * until the next ones are complete, and the identity of unchanged answers.
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

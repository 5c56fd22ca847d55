"use client";
import { useState } from "react";

/**
 * The answers to several queries, or undefined until they are all there. Answers to the same question for an earlier time
 * stay until those for the next are complete, and what did not change stays the same array.
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

/** Chooses the runs and the operation to compare. */
import type { ComparableRun, ComparableSubject } from "@stashlight/contracts/benchmark";
import { subjectKey } from "../results/subject.ts";

/** Means of segments vary less than single operations, so segments are compared only with segments. */
const isComparable = (some: ComparableSubject, others: ComparableSubject): boolean =>
  subjectKey(some) === subjectKey(others) && (some.by === "segments") === (others.by === "segments");

export const commonSubjects = (
  a: Pick<ComparableRun, "subjects">,
  b: Pick<ComparableRun, "subjects">,
): ComparableSubject[] => a.subjects.filter((own) => b.subjects.some((other) => isComparable(own, other)));

export interface Choice {
  readonly a: ComparableRun | null;
  /** Runs comparable with a, newest first. */
  readonly others: readonly ComparableRun[];
  readonly b: ComparableRun | null;
  readonly subjects: readonly ComparableSubject[];
  readonly subject: ComparableSubject | null;
}

interface Asked {
  readonly a: string | null;
  readonly b: string | null;
  readonly subject: string | null;
}

/** Takes the requested runs if they exist, otherwise the newest comparable ones. */
export function chooseRuns(runs: readonly ComparableRun[], asked: Asked): Choice {
  const a = runs.find(({ runId }) => runId === asked.a) ?? runs[0] ?? null;
  const others =
    a === null ? [] : runs.filter((run) => run.runId !== a.runId && commonSubjects(a, run).length > 0);
  const b = others.find(({ runId }) => runId === asked.b) ?? others[0] ?? null;
  const subjects = a === null || b === null ? [] : commonSubjects(a, b);
  const subject = subjects.find((each) => subjectKey(each) === asked.subject) ?? subjects[0] ?? null;
  return { a, others, b, subjects, subject };
}

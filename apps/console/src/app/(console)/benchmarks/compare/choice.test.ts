import type { ComparableRun, ComparableSubject } from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import { chooseRuns, commonSubjects } from "./choice.ts";

const subject = (part: Partial<ComparableSubject> = {}): ComparableSubject => ({
  operation: "PUT",
  sizeBytes: 262_144,
  connectionCount: 1,
  sampleCount: 100,
  by: "samples",
  ...part,
});
const run = (runId: string, ...subjects: ComparableSubject[]): ComparableRun => ({
  runId,
  name: runId,
  origin: "plan",
  isImported: false,
  at: new Date(0),
  subjects,
});
const none = { a: null, b: null, subject: null };

test("samples and bins are compared with each other, and segments only with segments", () => {
  const segments = run("warp", subject({ by: "segments" }));
  expect(commonSubjects(run("own", subject()), run("fio", subject({ by: "bins" })))).toHaveLength(1);
  expect(commonSubjects(run("own", subject()), segments)).toEqual([]);
  expect(commonSubjects(run("another warp", subject({ by: "segments" })), segments)).toHaveLength(1);
});

test("only comparable runs are offered, and the requested ones are kept", () => {
  const large = subject({ sizeBytes: 1_000_000 });
  const runs = [run("a", subject(), large), run("b", subject()), run("c", large), run("d")];
  expect(chooseRuns(runs, none)).toMatchObject({ a: { runId: "a" }, b: { runId: "b" } });
  const asked = chooseRuns(runs, { a: "c", b: "a", subject: null });
  expect(asked.others.map(({ runId }) => runId)).toEqual(["a"]);
  expect(asked.subject).toMatchObject({ sizeBytes: 1_000_000 });
  expect(chooseRuns(runs, { a: "d", b: null, subject: null })).toMatchObject({ b: null, subject: null });
  expect(chooseRuns([], none)).toEqual({ a: null, others: [], b: null, subjects: [], subject: null });
});

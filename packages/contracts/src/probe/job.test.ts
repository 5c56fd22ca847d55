import { expect, test } from "vitest";
import { probeReportSchema } from "./job.ts";

const end = {
  state: "succeeded",
  sentence: null,
  sampleCount: 3,
  failureCount: 0,
  isContaminated: false,
  flags: [],
  results: [],
  openedConnectionCount: 1,
  cpu: null,
};
const makeReport = (endOfRun: object) => ({
  type: "slot",
  scheduleId: "nightly",
  plannedAtMs: 1_795_258_800_000,
  attempt: 1,
  isOver: false,
  run: {
    runId: "0199b7a0-0000-7000-8000-000000000000",
    part: 0,
    samples: [],
    progress: null,
    manifest: null,
    end: endOfRun,
  },
});

test("the end of a run, sent by a probe of an earlier version, is read without stages", () => {
  expect(probeReportSchema.parse(makeReport(end))).toMatchObject({ run: { end: { ...end, stages: [] } } });
});

test("a stage without its duration is refused", () => {
  const { success, error } = probeReportSchema.safeParse(makeReport({ ...end, stages: [{ name: "full" }] }));
  expect(success).toBe(false);
  expect(error?.issues.map(({ path }) => path.join("."))).toContain("run.end.stages.0.durationMs");
});

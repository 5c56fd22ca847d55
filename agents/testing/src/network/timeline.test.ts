import { expect, test } from "vitest";
import type { ObservedRequest } from "../harness/load-clients.ts";
import { summariseExperience } from "./timeline.ts";

const request = (
  verb: ObservedRequest["verb"],
  outcome: ObservedRequest["outcome"],
  startedMs: number,
  endedMs: number,
): ObservedRequest => ({ verb, outcome, startedMs, endedMs });

test("an outage is described by its requests: outcomes, longest pause, and time until writes work again", () => {
  const experience = summariseExperience(
    [
      request("write", "done", 90, 95),
      request("write", "done", 98, 110),
      request("read", "done", 120, 125),
      request("write", "refused", 130, 190),
      request("write", "unreachable", 150, 220),
      request("write", "refused", 205, 230),
      request("write", "done", 231, 260),
    ],
    { brokenMs: 100, mendedMs: 200 },
  );
  expect(experience).toEqual({
    count: { done: 1, refused: 1, unreachable: 1, failed: 0 },
    readsDone: 1,
    writesDone: 0,
    slowestMs: 70,
    pauseMs: 150,
    writesAgainMs: 60,
    lastFailureMs: 30,
  });
});

test("an outage without requests has no pause, and no write after it", () => {
  const { pauseMs, writesAgainMs, slowestMs } = summariseExperience([], { brokenMs: 0, mendedMs: 1 });
  expect([pauseMs, writesAgainMs, slowestMs]).toEqual([0, null, 0]);
});

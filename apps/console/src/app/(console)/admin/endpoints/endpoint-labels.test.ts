import type { EndpointCheck } from "@stashlight/contracts/endpoint";
import { expect, test } from "vitest";
import { endpointState, newestTest } from "./endpoint-labels.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 28, 12, minute));
const checkAt = (minute: number, isUsable: boolean) =>
  ({
    checkedAt: at(minute),
    sentence: isUsable ? "The endpoint can be used." : "The secret access key is wrong.",
    findings: isUsable ? [{ capability: "read", isSupported: true, evidence: "" }] : [],
  }) as unknown as EndpointCheck;

test.each([
  { title: "neither", lastCheck: null, lastMeasuredAt: null, label: "Not tested yet" },
  { title: "a benchmark alone", lastCheck: null, lastMeasuredAt: at(1), label: "Usable" },
  { title: "a failed test", lastCheck: checkAt(1, false), lastMeasuredAt: null, label: "Not usable" },
  {
    title: "a benchmark after a failed test",
    lastCheck: checkAt(1, false),
    lastMeasuredAt: at(2),
    label: "Usable",
  },
  {
    title: "a test after the benchmark",
    lastCheck: checkAt(3, false),
    lastMeasuredAt: at(2),
    label: "Not usable",
  },
])(
  "the newer of test and benchmark decides whether an endpoint is usable: $title",
  ({ label, ...endpoint }) => {
    expect(endpointState(endpoint).label).toBe(label);
  },
);

test("the status takes its time and sentence from the same test", () => {
  const endpoint = { lastCheck: checkAt(1, false), lastMeasuredAt: at(2) };
  expect(newestTest(endpoint)).toEqual({
    isUsable: true,
    testedAt: at(2),
    sentence: "A benchmark has measured it.",
  });
});

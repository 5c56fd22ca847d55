import { expect, test } from "vitest";
import { gaugeAnswer, nowMs } from "../../../client/metrics/testing.ts";
import { readCertificates, renewCommand } from "./certificates.ts";

const DAY_SECONDS = 86_400;

type Given = readonly [node: string, daysLeft: number, more?: { certificate?: string; toldMs?: number }];

const read = (...given: readonly Given[]) =>
  readCertificates(
    [
      gaugeAnswer(
        "stashlight_certificate_remaining_seconds",
        given.map(([node, days, { certificate = "node", toldMs = nowMs } = {}]) => [
          { node, certificate, issuer: "authority" },
          days * DAY_SECONDS,
          toldMs,
        ]),
      ),
    ],
    nowMs,
  );

test("a vault without certificates has no panel", () => {
  expect(read()).toBeNull();
});

test("fresh certificates are good, with how long all of them last, and no renewal is in progress", () => {
  expect(read(["pod-1", 89.2], ["pod-2", 89.4])).toMatchObject({
    summary: "All certificates are valid for 89 days or more",
    status: "good",
    renewal: { isUnderWay: false, doneShare: 1, detail: expect.stringMatching(/^2 of 2 nodes, valid until/) },
  });
});

test.each<[Given[], string, string]>([
  [
    [
      ["pod-1", 29.5],
      ["pod-2", 89],
    ],
    "The certificate of pod-1 expires within 30 days, in 29 days",
    "warning",
  ],
  [
    [
      ["pod-1", 14],
      ["pod-2", 20],
    ],
    "2 certificates expire within 30 days, the first in 14 days",
    "warning",
  ],
  [[["pod-1", 1.9]], "The certificate of pod-1 expires within 30 days, in 1 day", "bad"],
  [
    [
      ["pod-1", -0.1],
      ["pod-2", 20],
    ],
    "The certificate of pod-1 has expired",
    "bad",
  ],
  [
    [
      ["pod-1", -3],
      ["pod-2", -1],
    ],
    "2 certificates have expired",
    "bad",
  ],
])("certificates with these days left are summarised: %j: %s (%s)", (given, summary, status) => {
  expect(read(...given)).toMatchObject({ summary, status });
});

test("a renewal in progress shows how many nodes have the new certificate, and which lack it", () => {
  expect(read(["pod-1", 20], ["pod-2", 21], ["pod-3", 89.9], ["pod-4", 89.1])?.renewal).toEqual({
    isUnderWay: true,
    doneShare: 0.5,
    detail: expect.stringMatching(
      /^2 of 4 nodes, valid until 1970-0\d-\d\d; pod-1 and 1 more have an older one$/,
    ),
  });
});

test("a node's first certificate to expire counts, from the time of the node's report", () => {
  const toldMs = nowMs - 600_000;
  const { byNode } = read(["c-1", 80], ["c-1", 12, { certificate: "s3", toldMs }]) ?? {};
  expect([...(byNode?.values() ?? [])]).toEqual([
    { node: "c-1", issuer: "authority", validUntilMs: toldMs + 12 * DAY_SECONDS * 1000, daysLeft: 11 },
  ]);
});

test("the renewal command names the vault's folder", () => {
  expect(renewCommand("photos")).toBe("npm run stashlight -- vault renew --folder photos");
});

import { createAuthority } from "@stashlight/transport/testing";
import { expect, test } from "vitest";
import type { NodeCertificate } from "../credentials/credentials.ts";
import { readCertificateFacts } from "../credentials/key-pair-files.ts";
import { followCertificates } from "./certificate-metrics.ts";
import { createAgentRecorder } from "./node-metrics.ts";

const nowMs = Date.UTC(2027, 0, 1);
const metric = "stashlight_certificate_remaining_seconds";

test("the issuer and expiry of a certificate are read", () => {
  const untilMs = Date.UTC(2027, 2, 4, 5, 6, 7);
  const { cert } = createAuthority("authority of photos").issue("pod-1", { fromMs: nowMs, untilMs });
  expect(readCertificateFacts(cert)).toEqual({ issuer: "authority of photos", validUntilMs: untilMs });
});

test("each certificate reports its remaining time until it is replaced", () => {
  const credentials: { certificates: NodeCertificate[] } = {
    certificates: [
      { certificate: "node", issuer: "old", validUntilMs: nowMs - 5000 },
      { certificate: "s3", issuer: "old", validUntilMs: nowMs + 7000 },
    ],
  };
  const recorder = createAgentRecorder("pod");
  followCertificates(recorder, credentials, () => nowMs);
  const told = () =>
    recorder
      .takeWindow()
      .gauges.flatMap(({ metric: name, labels, value }) =>
        name === metric ? [[labels.certificate, labels.issuer, value]] : [],
      );
  expect(told()).toEqual([
    ["node", "old", -5],
    ["s3", "old", 7],
  ]);
  credentials.certificates = [{ certificate: "node", issuer: "new", validUntilMs: nowMs + 90_000 }];
  expect(told()).toEqual([["node", "new", 90]]);
});

import { expect, test } from "vitest";
import { formatSkew, installCommand, nodeState, telemetrySetting } from "./nodes.ts";

const seen = new Date(1_000_000);

test.each([
  ["pending", null, null, "pending"],
  ["revoked", seen, null, "revoked"],
  ["active", null, null, "unseen"],
  ["active", seen, null, "reporting"],
  ["active", seen, 25, "silent"],
] as const)(
  "a node that is %s, was seen at %s and is silent for %s s is %s",
  (status, lastSeenAt, silentSeconds, expected) => {
    expect(nodeState({ status, lastSeenAt, silentSeconds })).toBe(expected);
  },
);

test.each([
  [0.3, "0 ms"],
  [12.4, "+12 ms"],
  [-999, "−999 ms"],
  [-2540, "−2.5 s"],
  [86_400_000, "+86400.0 s"],
])("a clock that is %d ms ahead is shown as %s", (skewMs, expected) => {
  expect(formatSkew(skewMs)).toBe(expected);
});

test("the command starts the role's agent with a token that only its owner can read", () => {
  const enrolment = { token: "sle_x", ingestUrl: "https://ingest.example.org" };
  expect(installCommand({ ...enrolment, role: "stash" }).split("\n")).toEqual([
    "(umask 077; echo sle_x > enrolment.token)",
    "node tools/bootstrap.mjs agents/node/src/main.ts --config vault.json --node NAME \\",
    "  --enrolment-token-file enrolment.token",
  ]);
  expect(installCommand({ ...enrolment, role: "probe" })).toContain(
    "agents/probe/src/main.ts --ingest https://ingest.example.org --name NAME --state probe \\",
  );
  expect(installCommand({ ...enrolment, role: "host" })).toContain(
    "agents/host/src/main.ts --ingest https://ingest.example.org --name NAME --state host --fsync FOLDER \\",
  );
});

test("the telemetry setting is a line of the vault's file", () => {
  expect(telemetrySetting("http://10.0.0.1:4685")).toBe('"telemetry": {"ingest": "http://10.0.0.1:4685"}');
});

import { expect, test } from "vitest";
import { formatSkew } from "./clocks.ts";
import { describeClocks } from "./describe-clocks.ts";
import { installCommand, nodeState, telemetrySetting } from "./nodes.ts";

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
  [-600_009, "−10 min"],
  [86_400_000, "+1 d"],
])("a clock that is %d ms ahead is shown as %s", (skewMs, expected) => {
  expect(formatSkew(skewMs)).toBe(expected);
});

const clock = (name: string, skewMs: number | null, silentSeconds: number | null = null) => ({
  name,
  status: "active" as const,
  skewMs,
  silentSeconds,
});

test("a wrong clock is reported once, with the one that is off most, and with what it costs", () => {
  expect(describeClocks([clock("a", 12), clock("b", null), clock("c", 900_000, 40)])).toBeNull();
  expect(describeClocks([{ ...clock("d", 900_000), status: "pending" }])).toBeNull();
  expect(describeClocks([clock("a", -5_000)])).toEqual({
    title: "The clock of a is 5 s behind the server's.",
    effect: "Measurements carry the wrong time. Correct the clock.",
  });
  expect(describeClocks([clock("a", -5_000), clock("b", 900_000), clock("c", 3_000)])).toEqual({
    title: "The clock of b is 15 min ahead of the server's, and 2 more nodes have wrong clocks.",
    effect:
      "Measurements carry the wrong time, and those more than 5 min ahead are not stored. Correct the clock.",
  });
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

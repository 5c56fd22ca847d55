import type { AuditValue } from "@stashlight/contracts/audit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, genesisHash, hashEvent } from "./chain.ts";
import { redacted, redactSecrets } from "./redact.ts";

const values = fc.jsonValue({ stringUnit: "grapheme" }) as fc.Arbitrary<AuditValue>;

/** The same value with its object keys reordered. */
function reordered(value: AuditValue): AuditValue {
  if (Array.isArray(value)) return value.map(reordered);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reordered(inner)]),
  );
}

test("canonical JSON does not depend on the order of keys", () => {
  fc.assert(fc.property(values, (value) => canonicalJson(reordered(value)) === canonicalJson(value)));
});

test("canonical JSON parses back to the original value", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

const event = {
  sequence: 1,
  occurredAt: new Date("2026-11-21T10:00:00.123Z"),
  actorId: "a",
  actorName: "Ada",
  actorRole: "admin",
  ipAddress: "192.0.2.1",
  userAgent: "test",
  action: "user.invited",
  targetKind: null,
  targetId: null,
  targetName: null,
  before: null,
  after: { role: "viewer" },
};

test("an event's hash is a fixed function of its content and the previous hash", () => {
  expect(hashEvent(genesisHash, event)).toBe(
    "dc36d39bd6ad8db4cf49dae1d8b8d7650ff780caf52ec01eb2dd9a13342a02d8",
  );
});

test.each(Object.keys(event))("the hash covers %s", (field) => {
  const other = { ...event, [field]: field === "occurredAt" ? new Date(0) : "other" };
  expect(hashEvent(genesisHash, other as typeof event)).not.toBe(hashEvent(genesisHash, event));
});

test("secrets are redacted by their fields' names, at any depth", () => {
  const details = {
    password: "p",
    newPassword: "p",
    user: { apiKey: "k", list: [{ accessKey: "k", name: "kept" }], clientSecret: { inner: "s" } },
    backup_codes: ["1", "2"],
    tokenHash: 3,
    twoFactorEnabled: true,
    totpEnabled: true,
    secret: null,
    role: "viewer",
  };
  expect(redactSecrets(details)).toEqual({
    password: redacted,
    newPassword: redacted,
    user: { apiKey: redacted, list: [{ accessKey: redacted, name: "kept" }], clientSecret: redacted },
    backup_codes: redacted,
    tokenHash: redacted,
    twoFactorEnabled: true,
    totpEnabled: true,
    secret: null,
    role: "viewer",
  });
  expect(details.password).toBe("p");
});

import { expect, test } from "vitest";
import { announcementLines } from "./announcement.ts";
import type { Options } from "./options.ts";

const options: Options = {
  port: 4680,
  ingestPort: 4685,
  host: "127.0.0.1",
  dataDirectory: "/data",
  databaseUrl: undefined,
  runtimeDatabaseUrl: undefined,
  storageProfile: "plain",
  publicUrl: "http://localhost:4680",
  recoverEmail: undefined,
  vault: { s3Port: 4690, hasDemoLoad: true, isModelled: false, shape: {}, count: undefined },
  isNewSecretAccepted: false,
  simulatedFleet: undefined,
};

const s3 = { endpoint: "http://127.0.0.1:4690", region: "us-east-1", accessKeyId: "SLKEY", secret: "hidden" };
const vault = { prepared: { s3 }, count: { total: 1, added: 0 } };

const nothing = { prepared: { setup: null, recovery: null }, isOpen: true };

test("the announcement names the vault's endpoint, region and key, and the location of the secret, but not the secret", () => {
  const lines = announcementLines(options, nothing, vault);
  expect(lines).toEqual([
    "Stashlight is running at http://localhost:4680",
    "S3 clients reach the vault at http://127.0.0.1:4690, region us-east-1, with path-style addresses;",
    "  access key ID SLKEY, its secret is in /data/vault/vault.json",
    'A demo load writes to the bucket "demo"; --no-demo leaves it out.',
    "Press Ctrl-C to stop.",
  ]);
  expect(lines.join("\n")).not.toContain("hidden");
});

test.each([
  [{ total: 2, added: 2 }, "2 vaults are behind it; new keys go to each by its free space."],
  [
    { total: 3, added: 1 },
    "3 vaults are behind it, 1 of them added by this start; new keys go to each by its free space.",
  ],
])("several vaults are announced with the ones that this run added: %j", (count, sentence) => {
  expect(announcementLines(options, nothing, { ...vault, count })).toContain(sentence);
});

test("a simulated fleet is announced with its log and how to remove it", () => {
  const simulatedFleet = { nodeCount: 100, dayCount: 3 };
  expect(announcementLines({ ...options, simulatedFleet }, nothing, undefined).join("\n")).toContain(
    [
      "100 simulated nodes measure beside the real ones, labelled as such; 3 days of their past are filled in meanwhile",
      "  (/data/logs/fleet.log); --simulated-fleet 0 removes them.",
    ].join("\n"),
  );
});

test("omitted parts are not mentioned", () => {
  const without = {
    ...options,
    vault: { s3Port: 4690, hasDemoLoad: false, isModelled: false, shape: {}, count: undefined },
  };
  expect(announcementLines(without, nothing, vault).join("\n")).not.toContain("demo");
  expect(announcementLines(options, nothing, undefined)).toHaveLength(2);
});

test("links are shown with their expiry, and a public address that others cannot open has a warning", () => {
  const setup = { url: "http://localhost:4680/setup#x", expiresAt: new Date(2026, 0, 2, 9, 5).toISOString() };
  const recovery = { url: "http://localhost:4680/reset#y", expiresAt: setup.expiresAt };
  const open = { ...options, host: "0.0.0.0", recoverEmail: "a@example.org" };
  expect(announcementLines(open, { prepared: { setup, recovery }, isOpen: true }, undefined)).toEqual([
    "Stashlight is running at http://localhost:4680",
    "Create the first admin with this link, which works once and until 09:05:",
    "  http://localhost:4680/setup#x",
    "a@example.org sets a new password with this link, once and within a day:",
    "  http://localhost:4680/reset#y",
    "Links name http://localhost:4680, which other machines cannot open; start with --public-url.",
    "Press Ctrl-C to stop.",
  ]);
});

test("a console that is not running is not announced as running", () => {
  const waiting = announcementLines(options, { ...nothing, isOpen: false }, vault);
  expect(waiting[0]).toBe(
    "Stashlight is running, but its console at http://localhost:4680 is not yet; its start is retried.",
  );
  const without = announcementLines(options, { trouble: "The disk of /data is full." }, vault);
  expect(without.slice(0, 2)).toEqual([
    "The vault is running without its console, whose start is retried: The disk of /data is full.",
    "S3 clients reach the vault at http://127.0.0.1:4690, region us-east-1, with path-style addresses;",
  ]);
});

import { createPrivateKey, createPublicKey } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DAY_MS } from "@stashlight/contracts/time";
import { createNodeKey } from "@stashlight/transport";
import { expect, onTestFinished, test } from "vitest";
import { createAuthority, issueCertificate } from "../authority/authority.ts";
import { checkConsoleClock, checkValidity } from "./clock.ts";

const issuedMs = Date.parse("2026-11-24T12:00:00Z");
const authority = await createAuthority("photos", issuedMs);
const certificate = await issueCertificate(authority, {
  name: "m1.pod",
  publicKey: createPublicKey(createPrivateKey(createNodeKey())),
  hosts: [],
  nowMs: issuedMs,
});
const content = {
  format: "stashlight bundle 1" as const,
  vault: "photos",
  clusterId: "0".repeat(32),
  machine: "m1",
  issuedAt: new Date(issuedMs).toISOString(),
  files: { "ca.pem": authority.certificate, "nodes/m1.pod/node.pem": certificate },
  tokens: {},
};

test.each<[string, number, string | null]>([
  ["at once", 0, null],
  ["by a clock that is 4 s slow", -4000, null],
  ["on the last day", 90 * DAY_MS - 1000, null],
  [
    "by a clock that is an hour slow",
    -3_600_000,
    "This machine's clock shows 2026-11-24 11:00:00 UTC, but the bundle was created at 2026-11-24 12:00:00 UTC; set the clock, for example with chrony or systemd-timesyncd.",
  ],
  [
    "a day after it expired",
    91 * DAY_MS,
    "The certificate nodes/m1.pod/node.pem of this bundle expired 1 day ago, at 2027-02-22 12:00:00 UTC; create another bundle with: vault bundle m1.",
  ],
  [
    "after it expired",
    93 * DAY_MS,
    "The certificate nodes/m1.pod/node.pem of this bundle expired 3 days ago, at 2027-02-22 12:00:00 UTC; create another bundle with: vault bundle m1.",
  ],
])("the validity of a bundle is checked against the clock when it is used %s", (_name, afterMs, sentence) => {
  const check = () => checkValidity(content, issuedMs + afterMs);
  if (sentence === null) expect(check).not.toThrow();
  else expect(check).toThrow(sentence);
});

async function consoleAt(ms: number): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("date", new Date(ms).toUTCString());
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a clock 3 s from the console's is accepted, and one a minute or an hour off is refused", async () => {
  const origin = await consoleAt(issuedMs);
  expect(await checkConsoleClock(origin, () => issuedMs + 3000)).toBeNull();
  await expect(checkConsoleClock(origin, () => issuedMs + 60_000)).rejects.toThrow(
    /^This machine's clock is 60 s ahead of the console's at http:\/\/127\.0\.0\.1:\d+, where 5 s are allowed/,
  );
  await expect(checkConsoleClock(origin, () => issuedMs - 3_600_000)).rejects.toThrow(
    /is 60 min behind the console's/,
  );
});

test("an unreachable console causes a warning", async () => {
  expect(await checkConsoleClock("http://127.0.0.1:1", () => issuedMs)).toMatch(
    /^The console's ingest http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\); the nodes keep their measurements, and enrol once it answers\.$/,
  );
});

/** Tests refusals by Azure and Google, in the form of their documentation. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HOUR_MS } from "@stashlight/contracts/time";
import { afterEach, expect, test } from "vitest";
import { openDriver } from "../drivers/open.ts";
import { testTarget } from "../testing/index.ts";
import { startTokenServer } from "../testing/token-server.ts";
import { Asker } from "./asker.ts";
import { EndpointError } from "./explain-failure.ts";
import { isTransient } from "./failure.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Starts a server that gives every request the same answer, and returns its address. */
async function startRefusing({ status, headers = {}, body }: Answer): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
      response.end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Credentials = Parameters<typeof openDriver>[1];

async function ask(
  target: ReturnType<typeof testTarget>,
  credentials: Credentials,
): Promise<{ readonly sentence: string; readonly isTransient: boolean }> {
  const driver = openDriver(target, credentials, Date.now);
  const asker = new Asker({ target, driver, timeoutMs: 10_000, signal: new AbortController().signal });
  const { failure } = await asker.ask(() => driver.list("", 1));
  asker.close();
  if (failure === null) throw new Error("It was not refused.");
  return { sentence: new EndpointError(failure, target).message, isTransient: isTransient(failure) };
}

const account = { accessKeyId: "account", secretAccessKey: Buffer.alloc(64, 7).toString("base64") };
const ofBlob = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "x-ms-error-code": code, "content-type": "application/xml", ...headers },
  body: `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>Something.</Message></Error>`,
});
const anHourAgo = { date: new Date(Date.now() - HOUR_MS).toUTCString() };

test.each([
  [
    "a wrong key",
    ofBlob(403, "AuthenticationFailed"),
    /account's key is wrong.*or this machine's clock is wrong\.$/,
    false,
  ],
  [
    "a clock that is an hour ahead",
    ofBlob(403, "AuthenticationFailed", anHourAgo),
    /this machine's clock is 60 min wrong\.$/,
    false,
  ],
  [
    "an account that is not there",
    ofBlob(404, "ResourceNotFound"),
    /^There is no bucket "bench" at 127\.0\.0\.1\.$/,
    false,
  ],
  [
    "no right to delete",
    ofBlob(403, "AuthorizationPermissionMismatch"),
    /^The access key may not do this in the bucket "bench"/,
    false,
  ],
  [
    "an immutable blob",
    ofBlob(409, "BlobImmutableDueToPolicy"),
    /retention policy on "bench" forbids deletion; what was written stays/,
    false,
  ],
  [
    "throttling",
    ofBlob(503, "ServerBusy"),
    /^127\.0\.0\.1 is too busy now \(503 ServerBusy\); measure later/,
    true,
  ],
  [
    "an operation that took too long",
    ofBlob(500, "OperationTimedOut"),
    /^127\.0\.0\.1 is too busy now \(500 OperationTimedOut\)/,
    true,
  ],
])("a refusal by Azure is explained: %s", async (_, answer, sentence, isWorthAnotherTry) => {
  const target = testTarget(await startRefusing(answer), { kind: "azure-blob" });
  const told = await ask(target, account);
  expect(told.sentence).toMatch(sentence);
  expect(told.isTransient).toBe(isWorthAnotherTry);
});

const ofGoogle = (status: number, reason: string): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    error: { code: status, message: "Something.", errors: [{ reason, domain: "global" }] },
  }),
});

test.each([
  ["a disabled key", ofGoogle(401, "authError"), /^The endpoint does not accept the access token/, false],
  [
    "no right to do this",
    ofGoogle(403, "forbidden"),
    /^The access key may not do this in the bucket "bench"/,
    false,
  ],
  [
    "a retention policy",
    ofGoogle(403, "retentionPolicyNotMet"),
    /retention policy on "bench" forbids deletion; what was written stays/,
    false,
  ],
  [
    "a hold",
    ofGoogle(403, "objectUnderActiveHold"),
    /^A legal hold or a retention policy on "bench" forbids deletion/,
    false,
  ],
  ["throttling", ofGoogle(429, "rateLimitExceeded"), /^127\.0\.0\.1 is too busy now \(429 SlowDown\)/, true],
  [
    "a backend that failed",
    ofGoogle(503, "backendError"),
    /^127\.0\.0\.1 is too busy now \(503 ServiceUnavailable\)/,
    true,
  ],
])("a refusal by Google is explained: %s", async (_, answer, sentence, isWorthAnotherTry) => {
  const tokens = await startTokenServer();
  closing.push(() => tokens.close());
  const target = testTarget(await startRefusing(answer), { kind: "gcs", tokenAddress: "127.0.0.1" });
  const told = await ask(target, tokens.credentials);
  expect(told.sentence).toMatch(sentence);
  expect(told.isTransient).toBe(isWorthAnotherTry);
});

test("a wrong clock is explained when Google refuses the token, before any request to the store", async () => {
  const tokens = await startTokenServer();
  closing.push(() => tokens.close());
  tokens.refuses = true;
  const target = testTarget(await startRefusing(ofGoogle(500, "never asked")), {
    kind: "gcs",
    tokenAddress: "127.0.0.1",
  });
  await expect(ask(target, tokens.credentials)).rejects.toThrow(
    /does not accept the service account's key: .*or this machine's clock is wrong\.$/,
  );
});

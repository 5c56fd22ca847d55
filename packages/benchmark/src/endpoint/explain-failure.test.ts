/** Tests the explanations of everything that can be wrong with an endpoint, with real errors, in one sentence each. */

import { StashlightError } from "@stashlight/contracts/errors";
import { HOUR_MS } from "@stashlight/contracts/time";
import { startEdge, testKeys } from "@stashlight/s3/testing";
import { createAuthority } from "@stashlight/transport/testing";
import { afterEach, expect, test } from "vitest";
import { openDriver } from "../drivers/open.ts";
import { failureOfS3 } from "../drivers/s3/failure.ts";
import { startTruthServer, TEST_CREDENTIALS, testTarget } from "../testing/index.ts";
import { Asker } from "./asker.ts";
import { EndpointError, explainFailure } from "./explain-failure.ts";
import type { EndpointTarget } from "./target.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Asked {
  readonly target: EndpointTarget;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly nowMs?: () => number;
  readonly timeoutMs?: number;
}

async function explainFor({
  target,
  credentials = TEST_CREDENTIALS,
  nowMs = Date.now,
  timeoutMs = 10_000,
}: Asked) {
  const driver = openDriver(target, credentials, nowMs);
  const asker = new Asker({ target, driver, timeoutMs, signal: new AbortController().signal });
  const { failure } = await asker.ask(() => driver.list("", 1));
  asker.close();
  return failure === null ? "worked" : new EndpointError(failure, target).message;
}

const writer = { accessKeyId: testKeys.writer.id, secretAccessKey: testKeys.writer.secret };

test("refusals by our own gateway are explained", async () => {
  const edge = await startEdge();
  closing.push(() => edge.close());
  const target = testTarget(edge.url);
  const asked = { target, credentials: writer };
  expect(await explainFor(asked)).toBe('There is no bucket "bench" at 127.0.0.1.');
  expect(await explainFor({ ...asked, credentials: { ...writer, secretAccessKey: "wrong" } })).toBe(
    "The endpoint does not accept the signature: the secret access key is wrong, or the access key is not known.",
  );
  expect(await explainFor({ ...asked, target: { ...target, region: "eu-central-1" } })).toBe(
    'The region is wrong: 127.0.0.1 asks for "us-east-1", not "eu-central-1".',
  );
  expect(await explainFor({ ...asked, nowMs: () => Date.now() + 2 * HOUR_MS })).toBe(
    "This machine's clock is 2 h ahead of the endpoint's; set the clock, because a signature is valid for 15 minutes.",
  );
  expect(await explainFor({ ...asked, nowMs: () => Date.now() - HOUR_MS })).toMatch(/clock is 60 min behind/);
  expect(await explainFor({ ...asked, target: { ...target, bucket: "mine" } })).toMatch(/no bucket "mine"/);
  const limited = { accessKeyId: testKeys.limited.id, secretAccessKey: testKeys.limited.secret };
  expect(await explainFor({ ...asked, credentials: limited })).toMatch(
    /may not do this in the bucket "bench"/,
  );
});

test("TLS errors are explained", async () => {
  const authority = createAuthority("tests");
  const serve = async (identity: { key: string; cert: string }) => {
    const server = await startTruthServer({ tls: identity });
    closing.push(() => server.close());
    return server.port;
  };
  const good = authority.issue("localhost");
  const past = { fromMs: Date.now() - 2 * HOUR_MS, untilMs: Date.now() - HOUR_MS };
  const future = { fromMs: Date.now() + HOUR_MS, untilMs: Date.now() + 2 * HOUR_MS };
  const at = (port: number, caPem = good.ca) => ({
    target: testTarget(`https://localhost:${port}`, { caPem }),
  });
  const port = await serve(good);
  expect(await explainFor(at(port))).toBe("worked");
  expect(await explainFor(at(port, createAuthority("another").issue("x").ca))).toMatch(
    /signed by an authority that is not known here/,
  );
  expect(await explainFor(at(await serve(authority.issue("localhost", past))))).toMatch(/has expired/);
  expect(await explainFor(at(await serve(authority.issue("localhost", future))))).toMatch(/is not valid yet/);
  expect(await explainFor(at(await serve(authority.issue("elsewhere"))))).toMatch(
    /is for a name other than localhost/,
  );
  const plain = await startEdge();
  closing.push(() => plain.close());
  expect(await explainFor(at(plain.port))).toMatch(/does not speak TLS/);
  expect(await explainFor({ target: testTarget(`http://localhost:${port}`) })).toMatch(
    /does not speak HTTP\/1\.1|closed the connection/,
  );
});

test("a port without a listener, a silent server and one that sends garbage are distinguished", async () => {
  const server = await startTruthServer({ fault: () => "stall" });
  await server.close();
  expect(await explainFor({ target: testTarget(server.url) })).toMatch(
    /refused the connection: no server listens/,
  );
  const failures = [
    ["timed-out", "Timeout", "127.0.0.1 did not answer in time."],
    ["broken", "NotHttp", /does not speak HTTP\/1\.1/],
    ["broken", "EHOSTUNREACH", /cannot be reached from here \(EHOSTUNREACH\)/],
    ["broken", "<script>", "The request to 127.0.0.1 failed with an unknown error."],
  ] as const;
  for (const [kind, code, sentence] of failures) {
    expect(new EndpointError({ kind, code }, testTarget("http://127.0.0.1:1")).message).toMatch(sentence);
  }
});

test.each([
  [{ code: "InvalidAccessKeyId", status: 403 }, /access key ID is not known/],
  [{ code: "PermanentRedirect", status: 301, isRedirect: true, region: "eu-west-1" }, /asks for "eu-west-1"/],
  [{ code: "Http307", status: 307, isRedirect: true }, /redirects to another address, which is not followed/],
  [{ code: "AuthorizationHeaderMalformed", status: 400 }, /does not accept the region "us-east-1"/],
  [{ code: "RequestTimeTooSkewed", status: 403 }, /clock is too far from the endpoint's/],
  [{ code: "SlowDown", status: 503 }, /too busy now \(503 SlowDown\)/],
  [{ code: "SlowDown", status: 429 }, /too busy now \(429 SlowDown\); measure later/],
  [{ code: "SizeMismatch", status: 200 }, /different number of bytes than was uploaded/],
  [{ code: "ObjectLocked", status: 403 }, /retention policy on "bench" forbids deletion/],
  [{ code: "NotImplemented", status: 501 }, /does not implement/],
  [{ code: "Teapot", status: 418 }, /answered with 418 Teapot/],
])("the error %j is explained", (failure, sentence) => {
  expect(
    new EndpointError({ kind: "answered", ...failure }, testTarget("http://127.0.0.1:1")).message,
  ).toMatch(sentence);
});

test("unresolvable names and denied addresses keep their original explanation", () => {
  const target = testTarget("http://127.0.0.1:1");
  const denied = new StashlightError("precondition_failed", "127.0.0.1 belongs to this machine.");
  expect(explainFailure(denied, target)).toBe(denied.message);
  const unresolved = Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });
  expect(explainFailure(unresolved, target)).toMatch(/cannot be resolved/);
  expect(explainFailure("anything", target)).toBe("The request to 127.0.0.1 failed for an unknown reason.");
});

test("no text chosen by a server is shown except codes, regions and times", () => {
  const exchange = (responseBody: string, headers: Record<string, string> = {}) =>
    failureOfS3(
      {
        moments: { t0: 0, t7: 1 },
        result: { kind: "answered", status: 400, headers: new Map(Object.entries(headers)) },
        isCold: false,
        localPort: 1,
        responseBody: Buffer.from(responseBody),
        responseBodyBytes: responseBody.length,
        responseChunks: [],
      },
      0,
    );
  const evil =
    "<Error><Code>see &lt;b&gt; http://evil</Code><Region>a b</Region><ServerTime>no</ServerTime></Error>";
  expect(exchange(evil)).toEqual({ kind: "answered", code: "Http400", status: 400 });
  expect(exchange("<html>")).toEqual({ kind: "answered", code: "Http400", status: 400 });
  expect(exchange('<!DOCTYPE x [<!ENTITY a "b">]><Error><Code>&a;</Code></Error>')).toMatchObject({
    code: "Http400",
  });
  expect(exchange("", { "x-amz-bucket-region": "eu-west-1" })).toMatchObject({ region: "eu-west-1" });
});

/** Tests the timing client against a server that misbehaves as badly as servers do, and records its own actions. */
import { randomBytes } from "node:crypto";
import { createAuthority } from "@stashlight/transport/testing";
import { afterEach, expect, test } from "vitest";
import { createPreparer } from "../drivers/s3/prepare-request.ts";
import { toWireTarget } from "../endpoint/target.ts";
import { toUploadBody } from "../run/bodies.ts";
import {
  startTruthServer,
  TEST_CREDENTIALS,
  type TruthServer,
  type TruthServerOptions,
  testTarget,
} from "../testing/index.ts";
import { type Exchange, TimedConnection } from "./connection.ts";
import { pingTcp } from "./ping.ts";

const body = toUploadBody(randomBytes(300_000));
const never = new AbortController().signal;
const opened: { server: TruthServer; connection: TimedConnection }[] = [];

afterEach(async () => {
  for (const { server, connection } of opened.splice(0)) {
    connection.close();
    await server.close();
  }
});

async function start(options: TruthServerOptions & { readonly isTls?: boolean } = {}) {
  const { isTls = false, ...rest } = options;
  const { ca, key, cert } = createAuthority("tests").issue("localhost");
  const server = await startTruthServer(isTls ? { ...rest, tls: { key, cert } } : rest);
  const target = testTarget(server.url, { caPem: isTls ? ca : "" });
  const connection = new TimedConnection(toWireTarget(target));
  const prepare = createPreparer(target, TEST_CREDENTIALS, Date.now);
  opened.push({ server, connection });
  let number = 0;
  const put = (timeoutMs = 20_000, signal = never): Promise<Exchange> =>
    connection.exchange(prepare({ method: "PUT", key: `key-${number++}`, body }), { timeoutMs, signal });
  return { server, connection, put, prepare };
}

const exchangeStatus = ({ result }: Exchange) => (result.kind === "answered" ? result.status : result.kind);

test.each([false, true])(
  "of many exchanges on one connection only the first is cold (TLS: %s)",
  async (isTls) => {
    const { server, connection, put } = await start({ isTls });
    const exchanges: Exchange[] = [];
    for (let count = 0; count < 20; count += 1) exchanges.push(await put());
    expect(exchanges.map(exchangeStatus)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(exchanges.map(({ isCold }) => isCold)).toEqual([true, ...Array.from({ length: 19 }, () => false)]);
    expect(server.connectionCount).toBe(1);
    expect(connection.openedCount).toBe(1);
    expect(connection.tls === null).toBe(!isTls);
  },
);

test("moments are in order, and those of opening are present if the connection was opened", async () => {
  const { put } = await start({ isTls: true, delayMs: () => 2 });
  const cold = (await put()).moments;
  const warm = (await put()).moments;
  const inOrder = (times: readonly (number | undefined)[]) => {
    expect(times).not.toContain(undefined);
    expect(times).toEqual([...(times as number[])].sort((a, b) => a - b));
  };
  inOrder([cold.t0, cold.t3, cold.t4, cold.t5, cold.t6, cold.t7]);
  inOrder([warm.t0, warm.t5, warm.t6, warm.t7]);
  expect(warm).not.toHaveProperty("t3");
  expect(warm).not.toHaveProperty("t4");
});

test("no sample is shorter than the server's own time", async () => {
  const { server, put } = await start({ delayMs: (number) => [0.5, 5, 20][number % 3] as number });
  const wires: number[] = [];
  for (let count = 0; count < 30; count += 1) {
    const { moments } = await put();
    wires.push(moments.t7 - moments.t0);
  }
  const truths = server.records.map(({ firstByteAt, answeringAt }) => answeringAt - firstByteAt);
  expect(truths).toHaveLength(30);
  for (const [place, truth] of truths.entries()) expect(wires[place]).toBeGreaterThanOrEqual(truth);
});

test("requests have neither Expect nor chunks nor more than one length, and are signed completely", async () => {
  const { server, put } = await start();
  await put();
  const { headers } = server.records[0] as (typeof server.records)[number];
  expect([...headers.keys()].sort()).toEqual([
    "authorization",
    "content-length",
    "host",
    "x-amz-content-sha256",
    "x-amz-date",
  ]);
  expect(headers.get("content-length")).toBe("300000");
  expect(headers.get("authorization")).toContain("SignedHeaders=host;x-amz-content-sha256;x-amz-date");
});

test("a 503 is an answer, and the connection stays open", async () => {
  const { server, put } = await start({ fault: (number) => (number === 1 ? "slow-down" : null) });
  const results = [await put(), await put(), await put()];
  expect(results.map(exchangeStatus)).toEqual([200, 503, 200]);
  expect(results[1]?.responseBody.toString()).toContain("<Code>SlowDown</Code>");
  expect(server.connectionCount).toBe(1);
});

test("an answer before the body has been sent is an answer, and the next exchange is cold", async () => {
  const { put } = await start({ fault: (number) => (number === 1 ? "early" : null) });
  const results = [await put(), await put(), await put()];
  expect(["broken", 503]).toContain(exchangeStatus(results[1] as Exchange));
  expect(results.map(({ isCold }) => isCold)).toEqual([true, false, true]);
});

test.each(["reset", "cut", "babble"] as const)(
  "%s breaks one exchange, and the next is cold",
  async (fault) => {
    const { put } = await start({ fault: (number) => (number === 1 ? fault : null) });
    const results = [await put(), await put(), await put()];
    expect(results.map(exchangeStatus)).toEqual([200, "broken", 200]);
    expect(results.map(({ isCold }) => isCold)).toEqual([true, false, true]);
    const [, broken] = results as [Exchange, Exchange];
    const code = broken.result.kind === "broken" ? broken.result.error.code : null;
    expect(code).toBe(fault === "babble" ? "NotHttp" : "ECONNRESET");
  },
);

test("a server that closes after an answer makes the next exchange cold, not broken", async () => {
  const { server, put } = await start({ fault: (number) => (number === 0 ? "close" : null) });
  const results = [await put(), await put()];
  expect(results.map(exchangeStatus)).toEqual([200, 200]);
  expect(results.map(({ isCold }) => isCold)).toEqual([true, true]);
  expect(server.connectionCount).toBe(2);
});

test("a stall is abandoned after the time limit, and its length is known", async () => {
  const { put } = await start({ fault: (number) => (number === 1 ? "stall" : null) });
  await put();
  const stalled = await put(200);
  expect(stalled.result.kind).toBe("timed-out");
  expect(stalled.moments.t7 - stalled.moments.t0).toBeGreaterThanOrEqual(199);
  expect(exchangeStatus(await put())).toBe(200);
});

test("a slow body counts until its last byte", async () => {
  const { put } = await start({ fault: () => "slow-body" });
  const { moments, responseBodyBytes } = await put();
  expect(responseBodyBytes).toBe(20);
  expect(moments.t7 - (moments.t6 as number)).toBeGreaterThan(15);
});

test("interim responses and chunks are read", async () => {
  const { server, put } = await start({ fault: () => "chunked" });
  const results = [await put(), await put()];
  expect(results.map(exchangeStatus)).toEqual([200, 200]);
  expect(results.map(({ responseBodyBytes }) => responseBodyBytes)).toEqual([4, 4]);
  expect(server.connectionCount).toBe(1);
});

test("an aborted exchange rejects with the reason, and the next one succeeds", async () => {
  let isStalling = true;
  const { put } = await start({ fault: () => (isStalling ? "stall" : null) });
  const aborting = new AbortController();
  const stalled = put(20_000, aborting.signal);
  aborting.abort(new Error("cancelled"));
  await expect(stalled).rejects.toThrow("cancelled");
  isStalling = false;
  expect(exchangeStatus(await put())).toBe(200);
});

test("pings are separate connections, which succeed, are refused or are abandoned", async () => {
  const { server, connection } = await start();
  const address = { address: "127.0.0.1", port: server.port };
  const ping = await pingTcp(address, { timeoutMs: 5000, signal: never });
  expect(ping.outcome).toBe("ok");
  expect(ping.endedAt).toBeGreaterThanOrEqual(ping.startedAt);
  expect(connection.openedCount).toBe(0);
  await server.close();
  opened.length = 0;
  const refused = await pingTcp(address, { timeoutMs: 5000, signal: never });
  expect(refused).toMatchObject({ outcome: "failed", errorCode: "ECONNREFUSED" });
});

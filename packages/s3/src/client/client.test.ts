import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testKeys } from "../testing/start-edge.ts";
import { useEdge } from "../testing/use-edge.ts";
import { type PayloadCheck, S3Client, type S3ClientOptions } from "./client.ts";
import { S3ClientError } from "./errors.ts";

let client: S3Client;
const edge = await useEdge();

beforeAll(async () => {
  client = clientOf({ endpoint: edge.url });
  await client.createBucket("things");
});
afterAll(async () => {
  client.close();
});

function clientOf(options: Partial<S3ClientOptions> & { endpoint: string }): S3Client {
  return new S3Client({ region: "us-east-1", accessKey: testKeys.writer, ...options });
}

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const body = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) >> 5));

/** Returns the error that a promise rejects with. */
async function errorOf(promise: Promise<unknown>): Promise<S3ClientError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(S3ClientError);
  return error as S3ClientError;
}

const checks: PayloadCheck[] = ["signed", "unsigned", "md5", "crc32c"];
const keys = ["plain", "with space + plus", "a/../b//c/", "ü€😀", "100%?&=#;~*'()", "line\nbreak"];

test.each(checks.flatMap((check) => keys.map((key) => [check, key] as const)))(
  "an object stored with the payload check %s and the key %j comes back unchanged",
  async (check, key) => {
    const userMetadata = { Colour: "grün" };
    const put = { bucket: "things", key, body, check, contentType: "text/plain", userMetadata };
    expect(await client.putObject(put)).toMatchObject({ etag: md5(body), path: "stash" });
    const got = await client.getObject({ bucket: "things", key });
    expect(got.body.equals(body)).toBe(true);
    const head = { sizeBytes: body.length, etag: md5(body), contentType: "text/plain" };
    expect(got.head).toMatchObject({ ...head, userMetadata: { colour: "grün" } });
    expect(await client.headObject({ bucket: "things", key })).toEqual(got.head);
  },
);

test("user metadata of any name comes back, even names that every JavaScript object inherits", async () => {
  const userMetadata: Record<string, string> = JSON.parse(
    '{"__proto__":"a","constructor":"b","tostring":"c"}',
  );
  const name = { bucket: "things", key: "names" };
  await client.putObject({ ...name, body, userMetadata });
  const head = await client.headObject(name);
  expect(Object.entries(head.userMetadata).sort()).toEqual(Object.entries(userMetadata).sort());
});

test("an empty object is stored and read back", async () => {
  const name = { bucket: "things", key: "empty" };
  await client.putObject({ ...name, body: new Uint8Array(0) });
  expect(await client.getObject(name)).toMatchObject({ head: { sizeBytes: 0 }, body: Buffer.alloc(0) });
});

test("a list has every key in order, across several pages", async () => {
  await client.createBucket("listed");
  const names = Array.from({ length: 1100 }, (_, i) => `a b/${String(i).padStart(4, "0")}+\n`);
  for (const key of [...names, "other"])
    await client.putObject({ bucket: "listed", key, body: new Uint8Array(3) });
  const found = [];
  for await (const object of client.list("listed", "a b/")) found.push(object);
  expect(found.map(({ key }) => key)).toEqual(names);
  expect(found[0]).toMatchObject({ sizeBytes: 3, etag: md5(new Uint8Array(3)) });
  expect(Math.abs((found[0]?.modifiedMs ?? 0) - Date.now())).toBeLessThan(60_000);
});

test("ensureBucket creates a bucket only if it does not exist", async () => {
  expect(await client.hasBucket("ensured")).toBe(false);
  await client.ensureBucket("ensured");
  expect(await client.hasBucket("ensured")).toBe(true);
  await client.ensureBucket("ensured");
  const other = clientOf({ endpoint: edge.url, accessKey: testKeys.limited });
  expect(await errorOf(other.ensureBucket("ensured"))).toMatchObject({ code: "AccessDenied" });
  other.close();
});

test("all buckets are listed", async () => {
  await client.createBucket("another");
  expect(await client.listBuckets()).toEqual(expect.arrayContaining(["another", "things"]));
});

test("a deleted object is gone, and deleting it again is not an error", async () => {
  const name = { bucket: "things", key: "short-lived" };
  await client.putObject({ ...name, body });
  await client.deleteObject(name);
  await client.deleteObject(name);
  expect(await errorOf(client.getObject(name))).toMatchObject({ code: "NoSuchKey", status: 404 });
  expect(await errorOf(client.headObject(name))).toMatchObject({ code: "NotFound", status: 404 });
});

test("an error carries S3's code, the status and the request id", async () => {
  const stranger = clientOf({ endpoint: edge.url, accessKey: testKeys.stranger });
  const error = await errorOf(stranger.createBucket("things"));
  stranger.close();
  expect(error).toMatchObject({ kind: "answered", code: "BucketAlreadyExists", status: 409 });
  expect(error.requestId).toMatch(/^TEST/);
  expect(error.isRetryable).toBe(false);
});

test("a wrong secret is refused", async () => {
  const other = clientOf({ endpoint: edge.url, accessKey: { ...testKeys.writer, secret: "another" } });
  expect(await errorOf(other.getObject({ bucket: "things", key: "plain" }))).toMatchObject({
    code: "SignatureDoesNotMatch",
    status: 403,
  });
  other.close();
});

test("requests reuse their connection, and a connection that the server has closed is replaced", async () => {
  const ports: (number | undefined)[] = [];
  const url = await serve((response) => {
    ports.push(response.req.socket.remotePort);
    response.end();
    // Closes the connection without an answer, as a server that restarts does.
    if (ports.length === 2) setImmediate(() => response.req.socket.resetAndDestroy());
  });
  const other = clientOf({ endpoint: url });
  for (let i = 0; i < 3; i++) await other.createBucket("any");
  expect(ports[1]).toBe(ports[0]);
  expect(ports[2]).not.toBe(ports[0]);
  other.close();
});

test("an endpoint without a listener is reported as unreachable and worth a retry", async () => {
  const url = await serve((response) => response.end());
  await closeLast();
  const error = await errorOf(clientOf({ endpoint: url }).createBucket("any"));
  expect(error).toMatchObject({ kind: "unreachable", code: "ECONNREFUSED", isRetryable: true });
});

test("a request times out if the server falls silent before or within its answer", async () => {
  const silent = await serve(() => undefined);
  const first = clientOf({ endpoint: silent, idleTimeoutMs: 50 });
  expect(await errorOf(first.createBucket("any"))).toMatchObject({ kind: "timeout", isRetryable: true });
  const stalling = await serve((response) => {
    response.writeHead(200, { "content-length": 1000 });
    response.write("the beginning");
  });
  const second = clientOf({ endpoint: stalling, idleTimeoutMs: 50 });
  expect(await errorOf(second.getObject({ bucket: "b", key: "k" }))).toMatchObject({ kind: "timeout" });
});

test("a truncated answer is an error, never a shorter object", async () => {
  const url = await serve((response) => {
    response.writeHead(200, { "content-length": 1000 });
    response.write("the beginning", () => response.destroy());
  });
  const error = await errorOf(clientOf({ endpoint: url }).getObject({ bucket: "b", key: "k" }));
  expect(error.kind).toBe("unreachable");
});

test.each([
  ["not XML", "hello"],
  ["another document", "<Other/>"],
  ["an entry without a key", "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>"],
])("a list is refused as malformed if it is %s", async (_, text) => {
  const url = await serve((response) => response.end(text));
  expect((await errorOf(clientOf({ endpoint: url }).listPage("b"))).kind).toBe("malformed");
});

const servers: Server[] = [];

/** Starts a server that answers with `answer` and ends with the test. */
async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  servers.push(server);
  onTestFinished(() => closeServer(server));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

const closeLast = () => closeServer(servers.at(-1) as Server);

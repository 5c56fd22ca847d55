/** Tests slow copies and completions: blanks keep the client waiting, and the answer's document reports a failure. */
import { createHash } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { S3Error } from "../errors.ts";
import type { ObjectStore } from "../store.ts";
import { signHeaders } from "../testing/signer.ts";
import { testKeys } from "../testing/start-edge.ts";
import { useAwsClient, useEdge } from "../testing/use-edge.ts";

const Bucket = "copies";
const CopySource = `${Bucket}/source`;
/** Blocks the store while an answer is to be late. */
let gate: Promise<void> = Promise.resolve();
let failure: Error | null = null;
let leftCount = 0;
/** Number of requests that have reached the store. */
let reachedCount = 0;

const waiting =
  <Verb extends "putObject" | "putPart" | "completeMultipartUpload">(verb: Verb): ObjectStore[Verb] =>
  async (context: never, input: never) => {
    reachedCount += 1;
    await gate;
    if (failure !== null) throw failure;
    return await edge.store[verb](context, input);
  };
const edge = await useEdge({
  limits: { silentMsMax: 20, blankEveryMs: 20 },
  overrides: {
    putObject: waiting("putObject"),
    putPart: waiting("putPart"),
    completeMultipartUpload: waiting("completeMultipartUpload"),
  },
  admit: async () => () => {
    leftCount += 1;
  },
});
const s3 = useAwsClient(edge);

beforeAll(async () => {
  await s3.send(new CreateBucketCommand({ Bucket }));
  await s3.send(new PutObjectCommand({ Bucket, Key: "source", Body: "hello" }));
});

beforeEach(() => {
  gate = Promise.resolve();
  failure = null;
  leftCount = 0;
  reachedCount = 0;
});

interface LateAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when this many characters have come. */
  received(length: number): Promise<void>;
  readonly whole: Promise<string>;
}

/** Sends a copy by hand, to see the bytes of its answer as they come. */
async function startCopy(more: Readonly<Record<string, string>> = {}): Promise<LateAnswer> {
  const url = `/${Bucket}/target`;
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "");
  const { headers } = signHeaders({
    method: "PUT",
    url,
    key: testKeys.writer,
    timestamp,
    headers: {
      host: `127.0.0.1:${edge.port}`,
      "x-amz-date": timestamp,
      "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
      "x-amz-copy-source": CopySource,
      ...more,
    },
  });
  const { promise, resolve } = Promise.withResolvers<LateAnswer>();
  const sent = request(
    { port: edge.port, host: "127.0.0.1", method: "PUT", path: url, headers },
    (incoming) => {
      let text = "";
      const waiters = new Set<() => void>();
      incoming.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        for (const wake of waiters) wake();
      });
      const received = async (length: number) => {
        while (text.length < length) {
          const arrival = Promise.withResolvers<void>();
          waiters.add(arrival.resolve);
          await arrival.promise;
        }
      };
      const whole = new Promise<string>((done) => incoming.on("end", () => done(text)));
      resolve({ status: incoming.statusCode, headers: incoming.headers, received, whole });
    },
  );
  sent.end();
  return await promise;
}

function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  return resolve;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

test("a slow copy sends its first byte early, then blanks, then the result", async () => {
  const release = hold();
  const answer = await startCopy();
  await answer.received(DECLARATION.length + 3);
  expect([answer.status, leftCount]).toEqual([200, 0]);
  release();
  expect(await answer.whole).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n {3,}<CopyObjectResult xmlns=.*<ETag>/,
  );
  expect(leftCount).toBe(1);
  expect(edge.requests.at(-1)).toMatchObject({ status: 200, error: null });
});

const customerKey = Buffer.alloc(32, 7);
const CUSTOMER = "x-amz-server-side-encryption-customer";
const confirmed = {
  [`${CUSTOMER}-algorithm`]: "AES256",
  [`${CUSTOMER}-key-md5`]: createHash("md5").update(customerKey).digest("base64"),
};

test.each([
  ["by the vault's keys", { "x-amz-server-side-encryption": "AES256" }, {}],
  ["by the client's key", confirmed, { [`${CUSTOMER}-key`]: customerKey.toString("base64") }],
])("the head of a slow copy confirms the requested encryption %s", async (_, head, secret) => {
  const release = hold();
  const answer = await startCopy({ ...head, ...secret });
  await answer.received(DECLARATION.length);
  expect(answer.headers).toMatchObject(head);
  expect(answer.headers[`${CUSTOMER}-key`]).toBeUndefined();
  release();
  expect(await answer.whole).toContain("<CopyObjectResult");
});

test("the head of a slow copy of a part confirms the client's key", async () => {
  const key = Buffer.alloc(32, 7);
  const encryption = { SSECustomerAlgorithm: "AES256", SSECustomerKey: key.toString("base64") };
  const SSECustomerKeyMD5 = createHash("md5").update(key).digest("base64");
  const name = { Bucket, Key: "sealed-parts", ...encryption, SSECustomerKeyMD5 };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(name));
  const release = hold();
  const late = s3.send(new UploadPartCopyCommand({ ...name, UploadId, PartNumber: 1, CopySource }));
  setTimeout(release, 100);
  expect(await late).toMatchObject({ SSECustomerAlgorithm: "AES256", SSECustomerKeyMD5 });
});

test("a copy that fails late is answered with an error under status 200", async () => {
  const release = hold();
  failure = new S3Error("SlowDown");
  const answer = await startCopy();
  await answer.received(DECLARATION.length);
  release();
  expect(await answer.whole).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n *<Error><Code>SlowDown<\/Code>/,
  );
  expect(answer.status).toBe(200);
  expect(leftCount).toBe(1);
  expect(edge.requests.at(-1)).toMatchObject({ status: 503, error: { code: "SlowDown" } });
});

test("the text of an unexpected failure is not sent", async () => {
  const release = hold();
  failure = new Error("a secret of the server");
  const answer = await startCopy();
  release();
  expect(await answer.whole).toMatch(/<Code>InternalError<\/Code>/);
  expect(await answer.whole).not.toContain("secret");
});

test("a copy that fails at once is answered with the error's own status", async () => {
  failure = new S3Error("SlowDown");
  expect((await startCopy()).status).toBe(503);
});

test("the SDK reads late results and late errors of a copy", async () => {
  let release = hold();
  const copying = s3.send(new CopyObjectCommand({ Bucket, Key: "copied", CopySource }));
  setTimeout(release, 100);
  expect((await copying).CopyObjectResult?.ETag).toBe('"5d41402abc4b2a76b9719d911017c592"');

  const name = { Bucket, Key: "parts" };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(name));
  release = hold();
  failure = new S3Error("InsufficientStorage");
  const late = s3.send(new UploadPartCopyCommand({ ...name, UploadId, PartNumber: 1, CopySource }));
  setTimeout(release, 100);
  await expect(late).rejects.toMatchObject({ name: "InsufficientStorage" });
});

test("the SDK reads late results and late errors of a completion, and can repeat it", async () => {
  const name = { Bucket, Key: "completed" };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(name));
  const part = new UploadPartCommand({ ...name, UploadId, PartNumber: 1, Body: "hello" });
  const Parts = [{ PartNumber: 1, ETag: (await s3.send(part)).ETag }];
  const command = new CompleteMultipartUploadCommand({ ...name, UploadId, MultipartUpload: { Parts } });
  failure = new S3Error("InsufficientStorage");
  await expect(sendLate(command)).rejects.toMatchObject({ name: "InsufficientStorage" });
  failure = null;
  const { ETag } = await sendLate(command);
  expect((await sendLate(command)).ETag).toBe(ETag);
  expect(edge.store.find({ bucket: Bucket, key: "completed" })?.bytes.toString()).toBe("hello");
  expect(edge.requests.at(-1)).toMatchObject({ status: 200, error: null });
});

/** The answer begins before the store has done any work. */
async function sendLate(command: CompleteMultipartUploadCommand) {
  const release = hold();
  const sent = s3.send(command);
  setTimeout(release, 100);
  return await sent;
}

test("a client that disconnects early frees its slot when the copy ends", async () => {
  const release = hold();
  const controller = new AbortController();
  const copying = s3.send(new CopyObjectCommand({ Bucket, Key: "left", CopySource }), {
    abortSignal: controller.signal,
  });
  const leaving = expect(copying).rejects.toThrow();
  await expect.poll(() => reachedCount).toBe(1);
  const { closedConnectionCount } = edge;
  controller.abort();
  await leaving;
  await expect.poll(() => edge.closedConnectionCount).toBe(closedConnectionCount + 1);
  release();
  await expect.poll(() => [leftCount, edge.requests.at(-1)?.isCut]).toEqual([1, true]);
});

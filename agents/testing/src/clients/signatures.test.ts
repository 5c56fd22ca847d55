/** Tests every way in which a request can carry its signature, valid and with one bit flipped. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { CreateBucketCommand, GetObjectCommand } from "@aws-sdk/client-s3";
import {
  encodeSignedChunks,
  encodeUnsignedChunks,
  openConnection,
  type RawAnswer,
  requestHead,
  signHeaders,
  signUrl,
} from "@stashlight/s3/testing";
import { beforeAll, expect, test } from "vitest";
import { readBody } from "../harness/client.ts";
import { useVault } from "../harness/use-vault.ts";

const used = useVault();
const Bucket = "signatures";
const body = randomBytes(70_000);
const chunks = [body.subarray(0, 65_536), body.subarray(65_536)];

beforeAll(async () => {
  await used.s3.send(new CreateBucketCommand({ Bucket }));
});

interface WireRequest {
  readonly head: string;
  readonly body: Buffer;
}

const timestamp = () => new Date().toISOString().replace(/[-:]|\.\d{3}/g, "");
const sha256 = createHash("sha256").update(body).digest("hex");
const checksum = Buffer.alloc(4);
checksum.writeUInt32BE(crc32(body));
const trailer = `x-amz-checksum-crc32:${checksum.toString("base64")}`;

function sign(key: string, headers: Readonly<Record<string, string>>) {
  const time = timestamp();
  const url = `/${Bucket}/${key}`;
  const all = { host: `127.0.0.1:${used.vault.s3Port}`, "x-amz-date": time, ...headers };
  const signed = signHeaders({ method: "PUT", url, key: used.vault.key, timestamp: time, headers: all });
  return { head: requestHead("PUT", url, signed.headers), seed: signed.seed };
}

function byHeader(key: string, payload: string): WireRequest {
  const { head } = sign(key, { "x-amz-content-sha256": payload, "content-length": String(body.length) });
  return { head, body };
}

function byQuery(key: string): WireRequest {
  const headers = { host: `127.0.0.1:${used.vault.s3Port}` };
  const request = {
    method: "PUT",
    url: `/${Bucket}/${key}`,
    key: used.vault.key,
    timestamp: timestamp(),
    headers,
  };
  const length = { "content-length": String(body.length) };
  return { head: requestHead("PUT", signUrl(request, 60), { ...headers, ...length }), body };
}

/** The length of a body does not depend on its signatures, so a first encoding measures it. */
function byChunks(key: string, payload: string, encode: (seed: ReturnType<typeof sign>["seed"]) => Buffer) {
  const headers = {
    "x-amz-content-sha256": payload,
    "x-amz-decoded-content-length": String(body.length),
    ...(payload.endsWith("TRAILER") && { "x-amz-trailer": "x-amz-checksum-crc32" }),
  };
  const length = encode(sign(key, headers).seed).length;
  const { head, seed } = sign(key, { ...headers, "content-length": String(length) });
  return { head, body: encode(seed) };
}

const HEADER = /Signature=([0-9a-f]{64})/;
const carriers = {
  "the header, of a signed body": (key: string) => byHeader(key, sha256),
  "the header, of an unsigned body": (key: string) => byHeader(key, "UNSIGNED-PAYLOAD"),
  "the address": (key: string) => byQuery(key),
  "the header, of a body in signed chunks": (key: string) =>
    byChunks(key, "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", (seed) => encodeSignedChunks(seed, chunks)),
  "the header, of a body in signed chunks with a trailer": (key: string) =>
    byChunks(key, "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", (seed) =>
      encodeSignedChunks(seed, chunks, trailer),
    ),
  "the header, of a body in unsigned chunks with a trailer": (key: string) =>
    byChunks(key, "STREAMING-UNSIGNED-PAYLOAD-TRAILER", () => encodeUnsignedChunks(chunks, trailer)),
} as const;
type Carrier = keyof typeof carriers;

const signedChunks = "the header, of a body in signed chunks";
const signedTrailer = "the header, of a body in signed chunks with a trailer";

/** Flips one bit of one of the 64 digits so that it remains a digit. */
function flipIn(text: string, pattern: RegExp): string {
  const signature = pattern.exec(text)?.[1] as string;
  const at = randomInt(signature.length);
  const digit = (Number.parseInt(signature[at] as string, 16) ^ (1 << randomInt(4))).toString(16);
  return text.replace(signature, signature.slice(0, at) + digit + signature.slice(at + 1));
}

async function send({ head, body }: WireRequest): Promise<RawAnswer> {
  const connection = openConnection(used.vault.s3Port);
  connection.write(head);
  connection.write(body);
  const answer = await connection.answer();
  connection.close();
  return answer;
}

const objectKey = (name: string) => name.replaceAll(/[^a-z]/g, "-");

test.each(Object.keys(carriers) as Carrier[])("a valid signature in %s stores the body", async (carrier) => {
  const Key = objectKey(carrier);
  const answer = await send(carriers[carrier](Key));
  expect(answer).toMatchObject({ status: 200 });
  const got = await used.s3.send(new GetObjectCommand({ Bucket, Key }));
  expect((await readBody(got.Body)).equals(body)).toBe(true);
});

const flips: readonly [string, Carrier, (request: WireRequest) => WireRequest][] = [
  ...(Object.keys(carriers) as Carrier[]).map((carrier): (typeof flips)[number] => [
    carrier,
    carrier,
    ({ head, body }) => ({ head: flipIn(head, HEADER), body }),
  ]),
  ...["a chunk", "the last chunk"].map((place): (typeof flips)[number] => [
    place,
    signedChunks,
    ({ head, body }) => {
      const pattern =
        place === "a chunk" ? /chunk-signature=([0-9a-f]{64})/ : /\r\n0;chunk-signature=([0-9a-f]{64})/;
      return { head, body: Buffer.from(flipIn(body.toString("latin1"), pattern), "latin1") };
    },
  ]),
  [
    "the trailer",
    signedTrailer,
    ({ head, body }) => {
      const pattern = /x-amz-trailer-signature:([0-9a-f]{64})/;
      return { head, body: Buffer.from(flipIn(body.toString("latin1"), pattern), "latin1") };
    },
  ],
];

test.each(flips)(
  "one flipped bit of the signature in %s is answered 403, and nothing is stored",
  async (name, carrier, flip) => {
    const Key = `flipped-${objectKey(name)}`;
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = await send(flip(carriers[carrier](Key)));
      expect(answer).toMatchObject({ status: 403, body: expect.stringContaining("SignatureDoesNotMatch") });
    }
    await expect(used.s3.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
      name: "NoSuchKey",
    });
  },
);

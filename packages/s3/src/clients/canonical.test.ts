/** Checks that the edge forms the same canonical requests as the AWS SDK, which is the reference. */
import { Readable } from "node:stream";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestHeaders } from "../request/headers.ts";
import { parseTarget } from "../request/target.ts";
import { authenticate } from "../signature/authenticate.ts";
import { createSigningKeys } from "../signature/signing-key.ts";
import { testKeys } from "../testing/start-edge.ts";

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
}

let sent: Sent | null = null;

/** Sends nothing; captures the request that the SDK would send. */
const s3 = new S3Client({
  endpoint: "http://localhost:9000",
  region: "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: testKeys.writer.id, secretAccessKey: testKeys.writer.secret },
  requestHandler: {
    handle: async (request: Sent) => {
      sent = request;
      return { response: { statusCode: 200, headers: {}, body: Readable.from(["<ListBucketResult/>"]) } };
    },
  },
});

/** Formats the URL as the SDK's HTTP handler does. */
function urlOf({ path, query = {} }: Sent): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ""].flat().map((one) => `${encode(name)}=${encode(one)}`),
  );
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

async function check(method: string, url: string, headers: Readonly<Record<string, string>>) {
  const raw = Object.entries(headers).flatMap(([name, value]) => [
    name,
    Buffer.from(value, "utf8").toString("latin1"),
  ]);
  const target = parseTarget(url, headers.host, { baseDomains: [], hostNames: [] });
  await authenticate(
    { method, target, headers: createRequestHeaders(raw) },
    {
      region: "us-east-1",
      findAccessKey: () => testKeys.writer,
      signingKeys: createSigningKeys(),
      nowMs: Date.now(),
    },
  );
  return target;
}

const key = fc
  .string({ unit: "binary", minLength: 1, maxLength: 60 })
  .filter((text) => text.isWellFormed() && Buffer.byteLength(text) <= 1024);
const metadata = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
  fc.stringMatching(/^[!-~]([ !-~]{0,20}[!-~])?$/),
  { maxKeys: 3 },
);

test("any key and any metadata in signed headers have the SDK's canonical request", async () => {
  const put = async (Key: string, Metadata: Record<string, string>) => {
    await s3.send(new PutObjectCommand({ Bucket: "bucket", Key, Metadata, Body: "x" }));
    const { method, headers } = sent as Sent;
    const target = await check(method, urlOf(sent as Sent), headers);
    expect(target).toMatchObject({ bucket: "bucket", key: Key });
  };
  await fc.assert(fc.asyncProperty(key, metadata, put), { numRuns: 150 });
});

test("any query of a list has the SDK's canonical request", async () => {
  const list = async (Prefix: string, Delimiter: string, StartAfter: string) => {
    await s3.send(new ListObjectsV2Command({ Bucket: "bucket", Prefix, Delimiter, StartAfter }));
    const { method, headers } = sent as Sent;
    const { query } = await check(method, urlOf(sent as Sent), headers);
    expect([query.get("prefix"), query.get("delimiter"), query.get("start-after")]).toEqual([
      Prefix,
      Delimiter,
      StartAfter,
    ]);
  };
  await fc.assert(fc.asyncProperty(key, key, key, list), { numRuns: 100 });
});

test("any key in a presigned address has the SDK's canonical request", async () => {
  const get = async (Key: string, ResponseContentDisposition: string) => {
    const url = new URL(
      await getSignedUrl(s3, new GetObjectCommand({ Bucket: "bucket", Key, ResponseContentDisposition })),
    );
    const address = url.href.slice(url.origin.length);
    const target = await check("GET", address, { host: url.host });
    expect(target.query.get("response-content-disposition")).toBe(ResponseContentDisposition);
  };
  // The URL class, used here to split the address, removes dot segments; raw requests keep them.
  const plainKey = key.filter((text) => !/(^|\/)\.{1,2}(\/|$)/.test(text));
  await fc.assert(fc.asyncProperty(plainKey, key, get), { numRuns: 100 });
});

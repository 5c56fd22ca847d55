/**
 * Tests details of answers that clients depend on: addresses, regions, empty ranges, groups of uploads and metadata.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { timestampOf } from "../client/sign.ts";
import { openConnection, requestHead } from "../testing/raw-connection.ts";
import { signHeaders, signUrl } from "../testing/signer.ts";
import { testKeys } from "../testing/start-edge.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { exchange, HASH_OF_NOTHING, signedHeaders, wireTime } from "../testing/wire.ts";

const edge = await useWireEdge({}, { baseDomains: ["s3.example.org"] });

beforeAll(async () => {
  await exchange(edge, "PUT", "/bucket/k", { body: "hello" });
  await exchange(edge, "PUT", "/bucket/empty", { headers: { "content-length": "0" } });
});

function textOf(name: string, xml: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

describe("the address in the answer to CompleteMultipartUpload", () => {
  const key = "loc%20%C3%A9%2Bx";

  async function complete(path: string, host: string): Promise<string | undefined> {
    const headers = { host };
    const begun = await exchange(edge, "POST", `${path}?uploads`, { headers });
    const uploadId = textOf("UploadId", begun.body);
    const part = await exchange(edge, "PUT", `${path}?partNumber=1&uploadId=${uploadId}`, {
      headers,
      body: "x",
    });
    const listed = `<Part><PartNumber>1</PartNumber><ETag>${part.headers.get("etag")}</ETag></Part>`;
    const body = `<CompleteMultipartUpload>${listed}</CompleteMultipartUpload>`;
    return textOf(
      "Location",
      (await exchange(edge, "POST", `${path}?uploadId=${uploadId}`, { headers, body })).body,
    );
  }

  test("is full and encoded, with the bucket in the path", async () => {
    expect(await complete(`/bucket/${key}`, "vault.internal:4690")).toBe(
      `http://vault.internal:4690/bucket/${key}`,
    );
  });

  test("is full and encoded, with the bucket in the host", async () => {
    const host = "bucket.s3.example.org";
    expect(await complete(`/${key}/y`, host)).toBe(`http://${host}/${key}/y`);
  });
});

test("a POST to a bucket that is not a form is refused", async () => {
  const { status, body } = await exchange(edge, "POST", "/bucket", { body: "hello" });
  expect([status, textOf("Code", body), textOf("Condition", body)]).toEqual([
    412,
    "PreconditionFailed",
    "Bucket POST must be of the enclosure-type multipart/form-data",
  ]);
});

describe("a failed HEAD", () => {
  const head = async (url: string, change: object = {}): Promise<(string | undefined | number)[]> => {
    const connection = openConnection(edge.port);
    const { timestamp } = wireTime;
    const headers = { host: "127.0.0.1", "x-amz-date": timestamp, "x-amz-content-sha256": HASH_OF_NOTHING };
    const request = { method: "HEAD", url, key: testKeys.writer, timestamp, headers, ...change };
    connection.write(requestHead("HEAD", url, signHeaders(request).headers));
    const answer = await connection.answer();
    connection.close();
    return [answer.status, answer.headers.get("x-amz-bucket-region")];
  };

  test.each([
    ["for another region", "/bucket", { region: "eu-west-1" }, 400],
    ["for another region", "/bucket/k", { region: "eu-west-1" }, 400],
    ["with a wrong secret", "/bucket", { key: { ...testKeys.writer, secret: "wrong" } }, 403],
    ["with an unknown key", "/bucket/k", { key: { id: "NOBODY", secret: "wrong" } }, 403],
    ["by another owner", "/bucket", { key: testKeys.stranger }, 403],
    ["for a key that is not there", "/bucket/none", {}, 404],
  ])("%s of %s reports the bucket's region", async (_, url, change, status) => {
    expect(await head(url, change)).toEqual([status, "us-east-1"]);
  });

  test("of a missing bucket reports no region", async () => {
    expect(await head("/nobucket")).toEqual([404, undefined]);
  });
});

describe("an unsigned chunked body without a trailer", () => {
  const headers = {
    "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    "x-amz-decoded-content-length": "5",
    "content-encoding": "aws-chunked",
  };

  async function send(body: string): Promise<number> {
    const length = { "content-length": String(body.length) };
    return (await exchange(edge, "PUT", "/bucket/chunked", { headers: { ...headers, ...length }, body }))
      .status;
  }

  test("is stored if it announces no trailer", async () => {
    expect(await send("5\r\nhello\r\n0\r\n\r\n")).toBe(200);
    expect(edge.store.find({ bucket: "bucket", key: "chunked" })?.bytes.toString()).toBe("hello");
  });

  test("is refused if a trailer comes unannounced", async () => {
    expect(await send("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n")).toBe(400);
  });
});

test.each([
  ["empty", "bytes=-5", 200, ""],
  ["empty", "bytes=0-", 416, undefined],
  ["empty", "bytes=-0", 416, undefined],
  ["k", "bytes=-2", 206, "lo"],
  ["k", "bytes=-9", 206, "hello"],
  // Some clients name the largest number of 64 bits as the last byte.
  ["k", "bytes=1-9223372036854775807", 206, "ello"],
  ["k", "bytes=-9223372036854775807", 206, "hello"],
  ["k", "bytes=9223372036854775807-", 416, undefined],
])("a read of the object %s with the range %s is answered %i", async (key, range, status, content) => {
  const answer = await exchange(edge, "GET", `/bucket/${key}`, { headers: { range } });
  expect(answer.status).toBe(status);
  if (content !== undefined) expect(answer.body).toBe(content);
});

test("a list of keys that is not UTF-8 deletes nothing, even if a key with replacement characters exists", async () => {
  const key = "broken\u{fffd}";
  await exchange(edge, "PUT", `/bucket/${encodeURIComponent(key)}`, { body: "kept" });
  const object = (name: Buffer) =>
    Buffer.concat([Buffer.from("<Delete><Object><Key>"), name, Buffer.from("</Key></Object></Delete>")]);
  const remove = (name: Buffer) => exchange(edge, "POST", "/bucket?delete", { body: object(name) });
  const refused = await remove(Buffer.from("broken\xff", "latin1"));
  expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("<Code>MalformedXML</Code>")]);
  expect(edge.store.find({ bucket: "bucket", key })).toBeDefined();
  expect((await remove(Buffer.from(key))).status).toBe(200);
  expect(edge.store.find({ bucket: "bucket", key })).toBeUndefined();
});

test.each(["?partNumber=1", "?partNumber=0", "?partNumber="])(
  "a PUT with %s but no uploadId is refused as an invalid argument, and stores nothing",
  async (query) => {
    const answer = await exchange(edge, "PUT", `/bucket/part${query}`, { body: "x" });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringContaining("<Code>InvalidArgument</Code>"),
    ]);
    expect(edge.store.find({ bucket: "bucket", key: "part" })).toBeUndefined();
  },
);

describe("metadata with non-ASCII characters", () => {
  const utf8 = Buffer.from("Zürich €").toString("latin1");

  test.each([
    ["UTF-8", utf8],
    ["bytes that are not UTF-8", "Z\xfcrich"],
    ["encoded words", "=?UTF-8?B?WsO8cmljaA==?="],
  ])("comes back byte for byte: %s", async (_, value) => {
    const connection = openConnection(edge.port);
    const head = (method: string, more: Record<string, string>) =>
      Buffer.from(
        requestHead(method, "/bucket/meta", signedHeaders(method, "/bucket/meta", more).headers),
        "latin1",
      );
    connection.write(head("PUT", { "content-length": "0", "x-amz-meta-place": value }));
    expect((await connection.answer()).status).toBe(200);
    connection.write(head("GET", {}));
    expect((await connection.answer()).headers.get("x-amz-meta-place")).toBe(value);
    connection.close();
  });
});

test.each([
  [1, 200, "hello"],
  [0, 403, "<Code>AccessDenied</Code>"],
  [-1000, 400, "<Code>AuthorizationQueryParametersError</Code>"],
  [604_800, 200, "hello"],
  [604_801, 400, "<Code>AuthorizationQueryParametersError</Code>"],
])(
  "an address that is valid for %i s is answered %i a second later, as on AWS",
  async (seconds, status, body) => {
    const timestamp = timestampOf(wireTime.nowMs - 1000);
    const headers = { host: `127.0.0.1:${edge.port}` };
    const request = { method: "GET", url: "/bucket/k", key: testKeys.writer, timestamp, headers };
    const answer = await fetch(`http://${headers.host}${signUrl(request, seconds)}`);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(body)]);
  },
);

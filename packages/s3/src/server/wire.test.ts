/** Tests the bytes on the wire when a request is late, broken, forged or too large. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openConnection, type RawConnection, requestHead } from "../testing/raw-connection.ts";
import { encodeUnsignedChunks, signHeaders, signUrl } from "../testing/signer.ts";
import { testKeys } from "../testing/start-edge.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { crc32Text, HASH_OF_NOTHING, sendSigned, signedHeaders, wireTime } from "../testing/wire.ts";

const MIB = 1_048_576;
const { timestamp } = wireTime;
let connection: RawConnection;
const edge = await useWireEdge();

beforeEach(() => {
  connection = openConnection(edge.port);
});

afterEach(() => {
  connection.close();
  // Checks that no invalid request of these tests was stored.
  const { bytes } = edge.store.find({ bucket: "bucket", key: "bad" }) ?? {};
  expect(bytes?.length).toBeUndefined();
});

const send = (method: string, url: string, headers: Record<string, string>, body: string | Buffer = "") =>
  sendSigned(connection, method, url, headers, body);

describe("Expect: 100-continue", () => {
  const expecting = {
    expect: "100-continue",
    "content-length": "4",
    "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
  };

  test("is answered once the request is authenticated and its headers are valid", async () => {
    send("PUT", "/bucket/expected", expecting);
    expect((await connection.answer()).status).toBe(100);
    connection.write("body");
    const answer = await connection.answer();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-stashlight-path")).toBe("stash");
    expect(edge.store.find({ bucket: "bucket", key: "expected" })?.bytes.toString()).toBe("body");
  });

  test.each([
    ["a wrong signature", {}, (head: string) => head.replace(/Signature=../, "Signature=00"), 403],
    ["a body that is too large", { "content-length": String(6000 * MIB) }, (head: string) => head, 400],
    ["a malformed Content-MD5", { "content-md5": "abc" }, (head: string) => head, 400],
    ["too much metadata", { "x-amz-meta-a": "x".repeat(2048) }, (head: string) => head, 400],
    ["a header that is not known", { "x-amz-colour": "blue" }, (head: string) => head, 501],
    ["tags that are not valid", { "x-amz-tagging": "a=1&a=2" }, (head: string) => head, 400],
  ])("gets no 100 Continue for %s", async (_, headers, change, status) => {
    const request = signedHeaders("PUT", "/bucket/bad", { ...expecting, ...headers });
    connection.write(change(requestHead("PUT", "/bucket/bad", request.headers)));
    const answer = await connection.answer();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("connection")).toBe("close");
    await connection.closed();
  });
});

describe("a body", () => {
  const bytes = Buffer.from("0123456789".repeat(3000));
  const unsigned = { "content-length": String(bytes.length), "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };

  test.each([
    [
      "another SHA-256 than signed",
      { ...unsigned, "x-amz-content-sha256": HASH_OF_NOTHING },
      "XAmzContentSHA256Mismatch",
    ],
    [
      "another MD5",
      { ...unsigned, "content-md5": createHash("md5").update("x").digest("base64") },
      "BadDigest",
    ],
    ["another CRC32", { ...unsigned, "x-amz-checksum-crc32": "AAAAAA==" }, "BadDigest"],
    ["another CRC64", { ...unsigned, "x-amz-checksum-crc64nvme": "AAAAAAAAAAA=" }, "BadDigest"],
    ["an invalid checksum", { ...unsigned, "x-amz-checksum-sha256": "short" }, "InvalidRequest"],
    [
      "two checksums",
      { ...unsigned, "x-amz-checksum-crc32": crc32Text(bytes), "x-amz-checksum-crc32c": "AAAAAA==" },
      "InvalidRequest",
    ],
  ])("with %s is refused", async (_, headers, code) => {
    const answer = await send("PUT", "/bucket/bad", headers, bytes).answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(`<Code>${code}</Code>`)]);
  });

  const sha256 = createHash("sha256").update("x").digest("base64");
  const md5 = createHash("md5").update("x").digest("base64");

  test.each<[string, Record<string, string>, string, string]>([
    ["Content-MD5", { "content-md5": md5 }, "Content-MD5", md5],
    ["x-amz-checksum-crc32c", { "x-amz-checksum-crc32c": "AAAAAA==" }, "CRC32C", "AAAAAA=="],
    ["x-amz-checksum-sha256", { "x-amz-checksum-sha256": sha256 }, "SHA256", sha256],
  ])(
    "with a wrong %s, small or large, is answered with the expected value",
    async (_, header, name, expected) => {
      for (const sent of [bytes, Buffer.alloc(3 * MIB, "large")]) {
        const headers = { ...unsigned, "content-length": String(sent.length), ...header };
        const answer = await send("PUT", "/bucket/bad", headers, sent).answer();
        expect(answer.status).toBe(400);
        expect(answer.body).toContain(
          `<Code>BadDigest</Code><Message>The ${name} you specified did not match the calculated checksum.</Message>` +
            `<ExpectedDigest>${expected}</ExpectedDigest><CalculatedDigest>`,
        );
      }
    },
  );

  test.each(["/bucket/bad?partNumber=1&uploadId=U", "/bucket/bad"])(
    "with a wrong checksum in its trailer is refused by %s",
    async (path) => {
      const begun = await send("POST", "/bucket/bad?uploads", {}).answer();
      const uploadId = /<UploadId>(.*)<\/UploadId>/.exec(begun.body)?.[1];
      const framed = encodeUnsignedChunks([bytes], "x-amz-checksum-crc32:AAAAAA==");
      const headers = {
        "content-length": String(framed.length),
        "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "x-amz-decoded-content-length": String(bytes.length),
        "x-amz-trailer": "x-amz-checksum-crc32",
      };
      const answer = await send("PUT", path.replace("=U", `=${uploadId}`), headers, framed).answer();
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("<Code>BadDigest</Code>")]);
      expect(answer.body).toContain("The CRC32 you specified did not match the calculated checksum.");
    },
  );

  test("of XML with a wrong checksum is refused", async () => {
    const xml = "<Delete><Object><Key>k</Key></Object></Delete>";
    const headers = { ...unsigned, "content-length": String(xml.length), "x-amz-checksum-crc32": "AAAAAA==" };
    const answer = await send("POST", "/bucket?delete", headers, xml).answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("<Code>BadDigest</Code>")]);
  });

  test("without a length is refused", async () => {
    const headers = { "transfer-encoding": "chunked", "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
    const answer = await send("PUT", "/bucket/bad", headers, "5\r\nhello\r\n0\r\n\r\n").answer();
    expect([answer.status, answer.body]).toEqual([411, expect.stringContaining("MissingContentLength")]);
  });

  test("that ends early is not stored, whether small or large", async () => {
    for (const size of [1000, 3 * MIB]) {
      const seen = edge.requests.length;
      send("PUT", "/bucket/bad", { ...unsigned, "content-length": String(size) }, bytes.subarray(0, 500));
      connection.end();
      await vi.waitFor(() => expect(edge.requests.length).toBe(seen + 1));
      expect(edge.requests.at(-1)).toMatchObject({ isCut: true, error: { code: "IncompleteBody" } });
      connection = openConnection(edge.port);
    }
  });

  test("whose large stream does not match its checksum is not stored", async () => {
    const large = Buffer.alloc(3 * MIB, "large");
    const headers = {
      "content-length": String(large.length),
      "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
      "x-amz-checksum-crc32": crc32Text(bytes),
    };
    const answer = await send("PUT", "/bucket/bad", headers, large).answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("BadDigest")]);
  });

  test("that was refused leaves its connection usable, if it is short", async () => {
    const refused = await send("PUT", "/nobucket/bad", unsigned, bytes).answer();
    expect([refused.status, refused.headers.get("connection")]).toEqual([404, "keep-alive"]);
    expect((await send("PUT", "/bucket/next", unsigned, bytes).answer()).status).toBe(200);
  });
});

test("a refused client that keeps sending still reads its answer", async () => {
  const bytes = Buffer.alloc(8 * MIB);
  const { headers } = signedHeaders("PUT", "/bucket/bad", { "content-length": String(bytes.length) });
  connection.write(requestHead("PUT", "/bucket/bad", headers).replace(/Signature=../, "Signature=00"));
  connection.write(bytes);
  const answer = await connection.answer();
  expect([answer.status, answer.headers.get("connection")]).toEqual([403, "close"]);
  await connection.closed();
});

test("a range with If-Range applies only if the object is still the version that If-Range names", async () => {
  const body = { "content-length": "10", "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
  const etag = (await send("PUT", "/bucket/ranged", body, "0123456789").answer()).headers.get("etag") ?? "";
  const modified = new Date(wireTime.nowMs).toUTCString();
  for (const [ifRange, expected] of [
    [etag, "234"],
    ['"other"', "0123456789"],
    [modified, "234"],
    [new Date(0).toUTCString(), "0123456789"],
  ] as const) {
    const answer = await send("GET", "/bucket/ranged", { range: "bytes=2-4", "if-range": ifRange }).answer();
    expect(answer.body).toBe(expected);
  }
  const several = await send("GET", "/bucket/ranged", { range: "bytes=0-1,4-5" }).answer();
  expect([several.status, several.body]).toEqual([200, "0123456789"]);
});

describe("a request", () => {
  test("that is not HTTP gets an answer with a request id", async () => {
    connection.write("nonsense\r\n\r\n");
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("BadRequest")]);
    expect(answer.headers.get("x-amz-request-id")).toMatch(/^TEST/);
  });

  test("with too many bytes of headers is refused", async () => {
    connection.write(requestHead("GET", "/bucket/k", { host: "x", "x-amz-meta-a": "x".repeat(17_000) }));
    expect((await connection.answer()).body).toContain("RequestHeaderSectionTooLarge");
  });

  test.each([
    ["without a signature", { host: "127.0.0.1" }, 403, "AccessDenied"],
    ["signed with version 2", { host: "127.0.0.1", authorization: "AWS WRITER:abc" }, 400, "InvalidRequest"],
    [
      "with a broken header",
      { host: "127.0.0.1", authorization: "AWS4-HMAC-SHA256 x" },
      400,
      "AuthorizationHeaderMalformed",
    ],
  ])("%s is refused", async (_, headers, status, code) => {
    connection.write(requestHead("GET", "/bucket/k", headers));
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(`<Code>${code}</Code>`)]);
  });

  test.each([
    ["header", "/bucket/k", { authorization: "AWS WRITERWRITERWRITER00:c2lnbmF0dXJl" }],
    [
      "address",
      "/bucket/k?AWSAccessKeyId=WRITERWRITERWRITER00&Expires=1769860800&Signature=c2lnbmF0dXJl",
      {},
    ],
  ])("signed with version 2 in its %s is refused because version 4 is required", async (_, url, headers) => {
    connection.write(requestHead("GET", url, { host: "127.0.0.1", ...headers }));
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringContaining("<Code>InvalidRequest</Code>"),
    ]);
    expect(answer.body).toContain(
      "Please use Signature Version 4 (AWS4-HMAC-SHA256); boto3 presigns with it",
    );
  });

  test.each([
    ["a header twice that may be given once", "x-amz-date: 20260131T120000Z\r\n", 400],
    ["a header that was not signed", "x-amz-storage-class: STANDARD\r\n", 403],
    ["a second signature", "authorization: AWS4-HMAC-SHA256 x\r\n", 400],
    ["a second host", "host: elsewhere\r\n", 400],
  ])("with %s is refused", async (_, line, status) => {
    const head = requestHead("GET", "/bucket/k", signedHeaders("GET", "/bucket/k", {}).headers);
    connection.write(head.replace("\r\n\r\n", `\r\n${line}\r\n`));
    expect((await connection.answer()).status).toBe(status);
  });

  test.each([
    ["another region", { region: "eu-west-1" }, 400, "<Region>us-east-1</Region>"],
    ["an hour ago", { timestamp: "20260131T110000Z" }, 403, "RequestTimeTooSkewed"],
    ["an hour ahead", { timestamp: "20260131T130000Z" }, 403, "RequestTimeTooSkewed"],
  ])("signed for %s is refused", async (_, change, status, text) => {
    const request = { method: "GET", url: "/bucket/k", key: testKeys.writer, timestamp, ...change };
    const headers = {
      host: "127.0.0.1",
      "x-amz-date": request.timestamp,
      "x-amz-content-sha256": HASH_OF_NOTHING,
    };
    connection.write(requestHead("GET", "/bucket/k", signHeaders({ ...request, headers }).headers));
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(text)]);
  });

  test("by HEAD that fails gets an answer without a body", async () => {
    send("HEAD", "/bucket/none", {});
    const answer = await connection.answer();
    expect([answer.status, answer.body, answer.headers.has("content-length")]).toEqual([404, "", false]);
    expect((await send("GET", "/bucket/none", {}).answer()).body).toContain("<Code>NoSuchKey</Code>");
  });

  test("with XML that is malformed, has a doctype or has too many keys, is refused", async () => {
    const doctype = '<!DOCTYPE a [<!ENTITY b "c">]><Delete><Object><Key>&b;</Key></Object></Delete>';
    const many = `<Delete>${"<Object><Key>k</Key></Object>".repeat(1001)}</Delete>`;
    for (const xml of [
      doctype,
      many,
      "<Delete>",
      "<Other/>",
      "<Delete><Object><Key>&x;</Key></Object></Delete>",
    ]) {
      const headers = { "content-length": String(xml.length), "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
      const answer = await send("POST", "/bucket?delete", headers, xml).answer();
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("MalformedXML")]);
    }
  });

  test("by a presigned address cannot send a chunked body", async () => {
    const headers = { host: "127.0.0.1", "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER" };
    const url = signUrl({ method: "PUT", url: "/bucket/bad", key: testKeys.writer, timestamp, headers }, 60);
    connection.write(requestHead("PUT", url, headers));
    expect((await connection.answer()).status).toBe(400);
  });

  test.each([
    "x-amz-meta-a=b&X-Amz-Meta-A=c",
    "x-amz-meta-a%0d%0ab=c",
    "x-amz-meta-a=b%0d%0ac:d",
    "x-amz-meta-%C3%BC=c",
  ])("by a presigned address is refused with the parameters %s", async (parameter) => {
    const url = signUrl(
      {
        method: "PUT",
        url: `/bucket/bad?${parameter}`,
        key: testKeys.writer,
        timestamp,
        headers: { host: "127.0.0.1" },
      },
      60,
    );
    connection.write(requestHead("PUT", url, { host: "127.0.0.1", "content-length": "0" }));
    expect((await connection.answer()).status).toBe(400);
  });

  test.each(["PATCH", "TRACE"])("by %s is not implemented", async (method) => {
    expect((await send(method, "/bucket/k", {}).answer()).status).toBe(501);
  });
});

/** Tests chunked bodies on the wire, valid and invalid. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openConnection, type RawConnection, requestHead } from "../testing/raw-connection.ts";
import { encodeSignedChunks, encodeUnsignedChunks } from "../testing/signer.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { crc32Text, sendSigned, signedHeaders } from "../testing/wire.ts";

let connection: RawConnection;
const edge = await useWireEdge({ signedChunkBytesMax: 200_000 });

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

describe("a chunked body", () => {
  const chunks = [Buffer.alloc(66_000, "a"), Buffer.alloc(1024, "b")];
  const content = Buffer.concat(chunks);
  const trailer = `x-amz-checksum-crc32:${crc32Text(content)}`;
  const decoded = { "x-amz-decoded-content-length": String(content.length) };
  const modes = {
    signed: { ...decoded, "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" },
    "signed with trailer": {
      ...decoded,
      "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
      "x-amz-trailer": "x-amz-checksum-crc32",
    },
    "unsigned with trailer": {
      ...decoded,
      "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
      "x-amz-trailer": "x-amz-checksum-crc32",
    },
  } as const;
  type Mode = keyof typeof modes;

  /** The length of a body does not depend on its signatures, so a first encoding measures it. */
  function encode(mode: Mode, url: string, line = trailer): { head: string; body: Buffer } {
    const frame = (seed: ReturnType<typeof signedHeaders>["seed"]) =>
      mode === "unsigned with trailer"
        ? encodeUnsignedChunks(chunks, line)
        : encodeSignedChunks(seed, chunks, mode === "signed" ? null : line);
    const measure = frame(signedHeaders("PUT", url, modes[mode]).seed).length;
    const request = signedHeaders("PUT", url, { ...modes[mode], "content-length": String(measure) });
    return { head: requestHead("PUT", url, request.headers), body: frame(request.seed) };
  }

  test.each(Object.keys(modes) as Mode[])("that is %s is stored without its framing", async (mode) => {
    const { head, body } = encode(mode, "/bucket/chunked");
    connection.write(head);
    connection.write(body);
    expect((await connection.answer()).status).toBe(200);
    const stored = edge.store.find({ bucket: "bucket", key: "chunked" });
    expect(stored?.bytes.equals(content)).toBe(true);
    expect(stored?.checksum?.value ?? null).toBe(mode === "signed" ? null : crc32Text(content));
  });

  test.each([
    ["a changed byte in a signed chunk", "signed", "aaaa", "aaab", 403, "SignatureDoesNotMatch"],
    ["a changed byte in an unsigned chunk", "unsigned with trailer", "aaaa", "aaab", 400, "BadDigest"],
    [
      "a changed chunk signature",
      "signed",
      "chunk-signature=",
      "chunk-signature=0",
      403,
      "SignatureDoesNotMatch",
    ],
    ["no chunk signature", "signed", ";chunk-signature=", ";chunk-signaturf=", 400, "InvalidRequest"],
    ["a size that is no number", "unsigned with trailer", "101d0\r\n", "101dg\r\n", 400, "InvalidRequest"],
    ["a size that is too small", "unsigned with trailer", "101d0\r\n", "101cf\r\n", 400, "InvalidRequest"],
    [
      "a size beyond the announced length",
      "unsigned with trailer",
      "101d0\r\n",
      "901d0\r\n",
      400,
      "IncompleteBody",
    ],
    [
      "another trailer than announced",
      "unsigned with trailer",
      "x-amz-checksum-crc32:",
      "x-amz-checksum-crc3x:",
      400,
      "MalformedTrailerError",
    ],
    [
      "a changed trailer that is signed",
      "signed with trailer",
      trailer,
      "x-amz-checksum-crc32:AAAAAA==",
      403,
      "SignatureDoesNotMatch",
    ],
    [
      "no signature of its trailer",
      "signed with trailer",
      "x-amz-trailer-signature:",
      "x-amz-trailer-signaturf:",
      400,
      "MalformedTrailerError",
    ],
  ] as const)("with %s is refused and its connection closed", async (_, mode, from, to, status, code) => {
    const { head, body } = encode(mode, "/bucket/bad");
    const changed = body.toString("latin1").replace(from, to).slice(0, body.length);
    connection.write(head);
    connection.write(Buffer.from(changed, "latin1"));
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(`<Code>${code}</Code>`)]);
    if (code === "BadDigest") return;
    expect(answer.headers.get("connection")).toBe("close");
    await connection.closed();
  });

  test("whose signed trailer has a wrong checksum is refused", async () => {
    const { head, body } = encode("signed with trailer", "/bucket/bad", "x-amz-checksum-crc32:AAAAAA==");
    connection.write(head);
    connection.write(body);
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("BadDigest")]);
  });

  test("with a signed chunk above the limit is refused before the chunk arrives", async () => {
    const large = { ...modes.signed, "x-amz-decoded-content-length": "500000", "content-length": "500300" };
    send("PUT", "/bucket/bad", large, `7a120;chunk-signature=${"0".repeat(64)}\r\n`);
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("EntityTooLarge")]);
  });

  test("with an endless chunk header is refused", async () => {
    const request = { ...modes["unsigned with trailer"], "content-length": "100000" };
    send("PUT", "/bucket/bad", request, "0".repeat(5000));
    const answer = await connection.answer();
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringContaining("header of a chunk is too long"),
    ]);
  });
});

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "./answer.ts";
import { announcedBytes, decompress, parseJson, readBody, readBodyUpTo, skipBody } from "./body.ts";

type Handler = (request: IncomingMessage) => Promise<unknown>;

/** Serves `handler`, and answers with its outcome or refusal. */
let handler: Handler;
const server = createServer(async (request, response) => {
  request.on("error", () => undefined);
  const outcome = await handler(request).catch((error: unknown) => describeRefusal(error));
  response.setHeader("connection", "close").end(JSON.stringify(outcome));
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function describeRefusal(error: unknown): { status: number; message: string } {
  if (!(error instanceof Refusal)) throw error;
  const { status, body } = error.answer;
  return { status, message: JSON.parse(body as string).message };
}

/** Sends these texts one after the other, and resolves to the response. */
async function exchange(given: Handler, headers: readonly string[], ...parts: string[]): Promise<unknown> {
  handler = given;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers.join("\r\n")}\r\n\r\n`);
  for (const part of parts) {
    socket.write(part);
    await new Promise(setImmediate);
  }
  const answer = await readText(socket);
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

const upTo =
  (bytesMax: number): Handler =>
  async (request) =>
    (await readBodyUpTo(request, bytesMax)).toString();

const chunked = "transfer-encoding: chunked";
const chunk = (part: string): string => `${part.length.toString(16)}\r\n${part}\r\n`;

test("a body equals the sent bytes for any chunking, with or without an announced length", async () => {
  const parts = fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 50 }), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(parts, async (cut) => {
      const whole = cut.join("");
      expect(await exchange(upTo(250), [`content-length: ${whole.length}`], ...cut)).toBe(whole);
      expect(await exchange(upTo(250), [chunked], ...cut.map(chunk), "0\r\n\r\n")).toBe(whole);
    }),
    { numRuns: 20 },
  );
});

const longer = "x".repeat(11);
test.each([
  ["announced", ["content-length: 10"], ["x".repeat(10)], "x".repeat(10)],
  [
    "announced",
    ["content-length: 11"],
    [],
    { status: 413, message: "The body has 11 bytes, and 10 are allowed." },
  ],
  ["in chunks", [chunked], [chunk("x".repeat(10)), "0\r\n\r\n"], "x".repeat(10)],
  [
    "in chunks",
    [chunked],
    [chunk(longer), "0\r\n\r\n"],
    { status: 413, message: "The body has more than the 10 bytes that are allowed." },
  ],
])("a body %s is accepted up to its limit and refused beyond it: %j", async (_, headers, parts, outcome) => {
  expect(await exchange(upTo(10), headers, ...parts)).toEqual(outcome);
});

test.each([
  ["has no length", [], []],
  ["comes in chunks", [chunked], ["0\r\n\r\n"]],
])("a body that %s is refused if its length must be announced", async (_, headers, parts) => {
  const given: Handler = async (request) => announcedBytes(request, 10);
  expect(await exchange(given, headers, ...parts)).toMatchObject({ status: 411 });
});

test("a body whose connection ends early never passes for a complete one", async () => {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  handler = async (request) => {
    const read = readBody(request, 10);
    started.resolve();
    ended.resolve(
      read.then(
        () => "whole",
        () => "rejected",
      ),
    );
  };
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nshort");
  await started.promise;
  socket.resetAndDestroy();
  expect(await ended.promise).toBe("rejected");
});

const SKIPPED_BYTES_MAX = 33_554_432;
test.each([
  ["a small body", ["content-length: 5"], ["12345"], true],
  ["more than a client sends before it reads", [`content-length: ${SKIPPED_BYTES_MAX + 1}`], [], false],
  ["chunks of unknown total length", [chunked], [chunk("12345")], false],
])("the rest of a refused request is read only up to a limit: %s", async (_, headers, parts, isRead) => {
  expect(await exchange(skipBody, headers, ...parts)).toBe(isRead);
});

const encodings = [
  ["zstd", (bytes: Uint8Array) => zstdCompressSync(bytes)],
  ["gzip", (bytes: Uint8Array) => gzipSync(bytes)],
  [undefined, (bytes: Uint8Array) => Buffer.from(bytes)],
  ["identity", (bytes: Uint8Array) => Buffer.from(bytes)],
] as const;

/** Sizes around the limit up to which a body is decompressed synchronously. */
const sizes = [0, 1, 1000, 262_143, 262_144, 262_145, 1_000_000];
test.each(encodings)(
  "a body in %s decompresses to exactly the sent bytes, and to no byte more than the limit",
  async (encoding, compress) => {
    for (const size of sizes) {
      const bytes = Buffer.alloc(size, "stashlight");
      const body = compress(bytes);
      expect((await decompress(body, encoding, Math.max(1, size))).equals(bytes)).toBe(true);
      if (size < 2) continue;
      const outcome = await decompress(body, encoding, size - 1).catch(describeRefusal);
      expect(outcome).toMatchObject({ status: 413, message: expect.stringMatching(/allowed\.$/) });
    }
  },
);

test.each([
  ["zstd", 400],
  ["gzip", 400],
  ["br", 415],
  ["", 415],
])(
  "a body declared as '%s' is refused with %i if it is not in that encoding, or the encoding is unknown",
  async (encoding, status) => {
    const outcome = await decompress(Buffer.from("not compressed"), encoding, 100).catch(describeRefusal);
    expect(outcome).toMatchObject({ status });
  },
);

test.each(["{", "", "undefined", '{"__proto__":1}', '[{"a":{"constructor":1}}]'])(
  "the text %j is refused as JSON",
  (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(Refusal);
  },
);

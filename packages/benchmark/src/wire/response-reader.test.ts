import fc from "fast-check";
import { expect, test } from "vitest";
import { ResponseReader } from "./response-reader.ts";

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly text: string;
  readonly status: number;
  readonly body: string;
  readonly keepsAlive: boolean;
}

const rows: readonly Row[] = [
  {
    name: "a counted body",
    text: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: "x"\r\n\r\nhello',
    status: 200,
    body: "hello",
    keepsAlive: true,
  },
  {
    name: "an empty body",
    text: "HTTP/1.1 200\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    status: 200,
    body: "",
    keepsAlive: false,
  },
  {
    name: "chunks with extensions and a trailer",
    text: "HTTP/1.1 503 Slow\r\ntransfer-encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nx-end: 1\r\n\r\n",
    status: 503,
    body: "abcde",
    keepsAlive: true,
  },
  {
    name: "interim responses before it",
    text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 204 None\r\n\r\n",
    status: 204,
    body: "",
    keepsAlive: true,
  },
  {
    name: "a length without a body after HEAD",
    method: "HEAD",
    text: "HTTP/1.1 404 Not Found\r\ncontent-length: 300\r\n\r\n",
    status: 404,
    body: "",
    keepsAlive: true,
  },
  {
    name: "HTTP/1.0",
    text: "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok",
    status: 200,
    body: "ok",
    keepsAlive: false,
  },
];

test.each(rows)(
  "$name is parsed the same however the bytes are split",
  ({ method = "GET", text, ...expected }) => {
    const bytes = Buffer.from(text, "latin1");
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 8 }), (cuts) => {
        const reader = new ResponseReader({ method, keepsBody: true });
        const places = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
        for (let part = 1; part < places.length; part += 1) {
          expect(reader.push(bytes.subarray(places[part - 1], places[part]))).toBe(true);
        }
        expect(reader.isDone).toBe(true);
        expect(reader.head?.status).toBe(expected.status);
        expect(reader.head?.keepsAlive).toBe(expected.keepsAlive);
        expect(reader.body.toString()).toBe(expected.body);
      }),
    );
  },
);

test("a body without a length ends with the connection", () => {
  const reader = new ResponseReader({ method: "GET", keepsBody: true });
  reader.push(Buffer.from("HTTP/1.1 200 OK\r\n\r\nsome"));
  expect(reader.isDone).toBe(false);
  expect(reader.end()).toBe(true);
  expect(reader.body.toString()).toBe("some");
});

test("a response that is cut off is incomplete", () => {
  const reader = new ResponseReader({ method: "GET", keepsBody: false });
  reader.push(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nsome"));
  expect(reader.end()).toBe(false);
  expect(reader.bodyBytes).toBe(4);
});

test("bytes after the response are detected", () => {
  const reader = new ResponseReader({ method: "GET", keepsBody: false });
  expect(reader.push(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab"))).toBe(false);
});

test("the body of a success is counted but not kept, and that of an error is kept", () => {
  for (const [status, kept] of [
    [200, ""],
    [403, "body"],
  ] as const) {
    const reader = new ResponseReader({ method: "PUT", keepsBody: false });
    reader.push(Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: 4\r\n\r\nbody`));
    expect(reader.bodyBytes).toBe(4);
    expect(reader.body.toString()).toBe(kept);
  }
});

test.each([
  "SSH-2.0-OpenSSH_9.2\r\n",
  "HTTP/2 200\r\n\r\n",
  "HTTP/1.1 abc\r\n\r\n",
  "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n",
  `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`,
])("bytes that are not HTTP are refused: %j", (text) => {
  const reader = new ResponseReader({ method: "GET", keepsBody: false });
  expect(() => reader.push(Buffer.from(text))).toThrow(expect.objectContaining({ code: "NotHttp" }));
});

test("any bytes are a response, an unfinished one or a refusal, and cause no other error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, hasHead) => {
      const reader = new ResponseReader({ method: "GET", keepsBody: true });
      try {
        if (hasHead) reader.push(Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"));
        reader.push(Buffer.from(bytes));
      } catch (error) {
        expect(error).toMatchObject({ name: "ProtocolError" });
      }
    }),
  );
});

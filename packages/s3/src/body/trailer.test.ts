import { expect, test } from "vitest";
import { readTrailer } from "./trailer.ts";

const LINE = "x-amz-checksum-crc32:AAAAAA==";

test.each([`${LINE}\r\n\r\n`, `${LINE}\n`, LINE, `X-Amz-Checksum-Crc32: AAAAAA== \r\n`])(
  "the checksum of the trailer %j is read",
  (text) => {
    expect(readTrailer(text, { algorithm: "CRC32", signatures: null })).toBe("AAAAAA==");
  },
);

test.each([
  "",
  "\r\n",
  `${LINE}\r\n${LINE}`,
  `${LINE}\r\nx-amz-meta-a:b`,
  `${LINE}\r\nx-amz-trailer-signature:00`,
  "x-amz-checksum-crc32:",
  "x-amz-checksum-crc32:AAAA",
  "x-amz-checksum-sha1:AAAAAA==",
  "no colon",
])("the trailer %j is refused as malformed", (text) => {
  expect(() => readTrailer(text, { algorithm: "CRC32", signatures: null })).toThrow(
    expect.objectContaining({ code: "MalformedTrailerError", closesConnection: true }),
  );
});

test("a trailer that was not announced is refused", () => {
  expect(readTrailer("\r\n", { algorithm: null, signatures: null })).toBeNull();
  expect(() => readTrailer(LINE, { algorithm: null, signatures: null })).toThrow("no trailer was announced");
});

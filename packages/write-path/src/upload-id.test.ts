import { expect, test } from "vitest";
import { createUploadId } from "./upload-id.ts";

const random = (count: number) => Buffer.alloc(count, 0xab);
const RANDOM_DIGITS = "ab".repeat(12);

test.each([
  { wallMs: 0, time: "00000000" },
  { wallMs: 249.9, time: "00000000" },
  { wallMs: 250, time: "00000001" },
  { wallMs: 1_796_000_000_000, time: "ac332400" },
  { wallMs: 250 * 2 ** 32 - 1, time: "ffffffff" },
  { wallMs: 250 * 2 ** 32, time: "00000000" },
])("an upload id begins with the quarters of a second at $wallMs ms", ({ wallMs, time }) => {
  expect(createUploadId(wallMs, random)).toBe(`${time}${RANDOM_DIGITS}`);
});

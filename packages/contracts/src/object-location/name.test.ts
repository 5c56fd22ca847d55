import { expect, test } from "vitest";
import { parseObjectName } from "./name.ts";

test.each([
  ["photos/cat.jpg", { bucket: "photos", key: "cat.jpg" }],
  ["photos/2026/11/a b.jpg", { bucket: "photos", key: "2026/11/a b.jpg" }],
  ["photos//x", { bucket: "photos", key: "/x" }],
  ["photos", null],
  ["photos/", null],
  ["/photos", null],
  ["Photos/cat.jpg", null],
  ["ab/cat", null],
  [`photos/${"é".repeat(513)}`, null],
])("the text %s names the object %o", (text, expected) => {
  expect(parseObjectName(text)).toEqual(expected);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { S3Error } from "../errors.ts";
import { createRequestHeaders } from "../request/headers.ts";
import type { Tag } from "../store.ts";
import { readXml } from "../xml/request-xml.ts";
import { BUCKET_TAGS, OBJECT_TAGS, readTagging, readTaggingHeader, writeTagging } from "./tags.ts";

const parse = (text: string, limit = OBJECT_TAGS) => readTagging(readXml(text, "Tagging"), limit);
const parseHeader = (value: string) => readTaggingHeader(createRequestHeaders(["x-amz-tagging", value]));
const numbered = (count: number): Tag[] =>
  Array.from({ length: count }, (_, at) => ({ key: `k${at}`, value: "" }));

function codeOf(work: () => unknown): string {
  try {
    work();
    return "accepted";
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

const letters = "aZ09 +-=._:/@äß中\u00a0";
const text = (max: number, min = 0) =>
  fc.array(fc.constantFrom(...letters), { minLength: min, maxLength: max }).map((each) => each.join(""));
const tags = fc.uniqueArray(fc.record({ key: text(128, 1), value: text(256) }), {
  maxLength: 10,
  selector: ({ key }) => key,
});

test("tags within the limits are read back unchanged from XML and from the header", () => {
  fc.assert(
    fc.property(tags, (given) => {
      expect(parse(writeTagging(given))).toEqual(given);
      const query = new URLSearchParams(given.map(({ key, value }): [string, string] => [key, value]));
      expect(parseHeader(query.toString())).toEqual(given);
    }),
    { numRuns: 200 },
  );
});

describe("a tag", () => {
  test.each([
    ["a key of 128 characters", "k".repeat(128), "v", "accepted"],
    ["a key of 129 characters", "k".repeat(129), "v", "InvalidTag"],
    ["a key of 65 letters of two UTF-16 units each", "\u{1d400}".repeat(65), "v", "InvalidTag"],
    ["a key of 64 of those", "\u{1d400}".repeat(64), "v", "accepted"],
    ["a value of 256 characters", "k", "v".repeat(256), "accepted"],
    ["a value of 257 characters", "k", "v".repeat(257), "InvalidTag"],
    ["no key", "", "v", "InvalidTag"],
    ["no value", "k", "", "accepted"],
    ["all allowed marks", "+ - = . _ : / @", "+ - = . _ : / @", "accepted"],
    ["an ampersand in the key", "a&b", "v", "InvalidTag"],
    ["an ampersand in the value", "k", "a&b", "InvalidTag"],
    ["an emoji in the value", "k", "\u{1f600}", "InvalidTag"],
    ["a line feed in the value", "k", "a\nb", "InvalidTag"],
    ["a reserved prefix", "aws:created", "v", "InvalidTag"],
    ["a reserved prefix in capitals", "AWS:created", "v", "InvalidTag"],
    ["a reserved prefix in the value", "k", "aws:v", "accepted"],
  ])("with %s gets the same verdict in XML and in the header", (_what, key, value, outcome) => {
    const query = new URLSearchParams([[key, value]]).toString();
    expect([
      codeOf(() => parse(writeTagging([{ key, value }]))),
      codeOf(() => parse(writeTagging([{ key, value }]), BUCKET_TAGS)),
      codeOf(() => parseHeader(query)),
    ]).toEqual([outcome, outcome, outcome]);
  });
});

test.each([
  [10, "accepted", "accepted"],
  [11, "BadRequest", "accepted"],
  [50, "BadRequest", "accepted"],
  [51, "BadRequest", "BadRequest"],
])("%i tags are answered %s for an object, %s for a bucket", (count, ofObject, ofBucket) => {
  const document = writeTagging(numbered(count));
  expect([codeOf(() => parse(document)), codeOf(() => parse(document, BUCKET_TAGS))]).toEqual([
    ofObject,
    ofBucket,
  ]);
});

const tag = "<Tag><Key>a</Key><Value>b</Value></Tag>";

test.each([
  ["no tags", "<Tagging><TagSet/></Tagging>", "accepted"],
  ["a key twice", `<Tagging><TagSet>${tag}${tag}</TagSet></Tagging>`, "InvalidTag"],
  ["no set", "<Tagging/>", "MalformedXML"],
  ["two sets", "<Tagging><TagSet/><TagSet/></Tagging>", "MalformedXML"],
  ["something beside the set", "<Tagging><TagSet/><Tag/></Tagging>", "MalformedXML"],
  ["something else in the set", "<Tagging><TagSet><Tags/></TagSet></Tagging>", "MalformedXML"],
  ["a tag without a value", "<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>", "MalformedXML"],
  [
    "a tag with two keys",
    "<Tagging><TagSet><Tag><Key>a</Key><Key>b</Key><Value/></Tag></TagSet></Tagging>",
    "MalformedXML",
  ],
  ["another root", "<TagSet/>", "MalformedXML"],
  ["an end that is missing", "<Tagging><TagSet>", "MalformedXML"],
  ["an entity", '<!DOCTYPE a [<!ENTITY b "c">]><Tagging><TagSet/></Tagging>', "MalformedXML"],
])("a document with %s is accepted or refused as on AWS", (_what, document, outcome) => {
  expect(codeOf(() => parse(document))).toBe(outcome);
});

test.each([
  ["", []],
  ["a", [{ key: "a", value: "" }]],
  ["a=", [{ key: "a", value: "" }]],
  ["a=b=c", [{ key: "a", value: "b=c" }]],
  [
    "a+b=c%2Bd&&e=f",
    [
      { key: "a b", value: "c+d" },
      { key: "e", value: "f" },
    ],
  ],
])("the header %j is parsed as a query", (value, expected) => {
  expect(parseHeader(value)).toEqual(expected);
});

test.each([
  ["a=1&a=2", "InvalidArgument"],
  ["a=%zz", "InvalidArgument"],
  ["a=%ff", "InvalidArgument"],
  ["=b", "InvalidTag"],
  [
    numbered(11)
      .map(({ key }) => key)
      .join("&"),
    "BadRequest",
  ],
])("the header %j is answered %s", (value, code) => {
  expect(codeOf(() => parseHeader(value))).toBe(code);
});

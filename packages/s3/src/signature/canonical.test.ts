import { expect, test } from "vitest";
import { createRequestHeaders } from "../request/headers.ts";
import { bytesOfUtf8 } from "../request/percent.ts";
import { parseQuery } from "../request/query.ts";
import { canonicalPaths, canonicalQuery, canonicalRequest } from "./canonical.ts";

test.each([
  ["plain", "plain"],
  ["  both  ends\t", "both ends"],
  [bytesOfUtf8("voilà"), bytesOfUtf8("voilà")],
  ["", ""],
])("the header value %j is signed as %j", (value, expected) => {
  const canonical = canonicalRequest({
    method: "GET",
    path: "/",
    query: [],
    headers: createRequestHeaders(["X-Amz-Meta-A", value]),
    signedHeaders: ["x-amz-meta-a"],
    payload: "p",
  });
  expect(canonical).toBe(`GET\n/\n\nx-amz-meta-a:${expected}\n\nx-amz-meta-a\np`);
});

test.each([
  ["b=2&a=1", "a=1&b=2"],
  ["a=2&a=1&a", "a=&a=1&a=2"],
  ["prefix=a%2fb+c", "prefix=a%2Fb%20c"],
  ["uploads", "uploads="],
  ["a-b=1&a=1&X-Amz-Signature=00", "a=1&a-b=1"],
  ["key=%C3%BC~", "key=%C3%BC~"],
])("the query %s is signed as %s", (raw, expected) => {
  expect(canonicalQuery(parseQuery(raw).parameters)).toBe(expected);
});

test.each([
  ["/bucket/a%20b", ["/bucket/a%20b"]],
  ["/bucket/../a//b/.", ["/bucket/../a//b/."]],
  ["/bucket/a(1)", ["/bucket/a(1)", "/bucket/a%281%29"]],
  ["/bucket/%7e%2Fa", ["/bucket/%7e%2Fa", "/bucket/~/a"]],
])("the path %s may be signed as any of %j", (raw, expected) => {
  expect(canonicalPaths(raw)).toEqual(expected);
});

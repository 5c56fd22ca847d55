import { expect, test } from "vitest";
import { isBucketName } from "./names.ts";
import { parseTarget } from "./target.ts";

test.each(["abc", "a.b-c", "0ab", "a".repeat(63)])("%s is a valid bucket name", (name) => {
  expect(isBucketName(name)).toBe(true);
});

test.each([
  "ab",
  "a".repeat(64),
  "Abc",
  "-abc",
  "abc-",
  ".abc",
  "a..b",
  "10.0.0.1",
  "xn--abc",
  "abc-s3alias",
  "a_b",
  "a/b",
  "ä".repeat(3),
])("%s is not a valid bucket name", (name) => {
  expect(isBucketName(name)).toBe(false);
});

test.each([
  ["/", null, null, null],
  ["/bucket", null, "bucket", null],
  ["/bucket/", null, "bucket", null],
  ["/bucket//a/../b", null, "bucket", "/a/../b"],
  ["/bucket/a%2Fb+c%20", null, "bucket", "a/b+c "],
  ["/bucket/k", "127.0.0.1:80", "bucket", "k"],
  ["/k", "photos.s3.test:80", "photos", "k"],
  ["/", "PHOTOS.S3.test", "photos", null],
  ["/bucket/k", "s3.test", "bucket", "k"],
  ["/bucket/k", "other.test", "bucket", "k"],
])("%s at %s addresses bucket %s, key %s", (url, host, bucket, key) => {
  expect(parseTarget(url, host ?? undefined, { baseDomains: ["s3.test"], hostNames: [] })).toMatchObject({
    bucket,
    key,
  });
});

test.each([
  ["http://host/bucket", "InvalidURI"],
  ["http://user@127.0.0.1/bucket", "InvalidURI"],
  ["ftp://127.0.0.1/bucket", "InvalidURI"],
  ["http://127.0.0.1/bucket#part", "InvalidURI"],
  ["*", "InvalidURI"],
  ["/bucket/%zz", "InvalidURI"],
  ["/bucket/%ff", "InvalidURI"],
  ["/bucket/a#b", "InvalidURI"],
  ["/bucket?a=%f", "InvalidURI"],
  ["//key", "InvalidBucketName"],
  ["/Bucket/key", "InvalidBucketName"],
  [`/bucket/${"k".repeat(1025)}`, "KeyTooLongError"],
  [`/bucket/${"%C3%BC".repeat(513)}`, "KeyTooLongError"],
])("the address %s is refused with %s", (url, code) => {
  expect(() => parseTarget(url, "127.0.0.1", { baseDomains: [], hostNames: [] })).toThrow(
    expect.objectContaining({ code }),
  );
});

test.each([
  ["http://s3.test:9000/photos/a//b?x=1", "/photos/a//b", "photos", "a//b"],
  ["HTTP://S3.TEST:9000/photos", "/photos", "photos", null],
  ["http://s3.test:9000", "/", null, null],
  ["http://s3.test:9000?x=1", "/", null, null],
])(
  "the absolute address %s, as sent to a proxy, means the path after its host",
  (url, rawPath, bucket, key) => {
    const names = { baseDomains: [], hostNames: [] };
    expect(parseTarget(url, "s3.test:9000", names)).toMatchObject({ rawPath, bucket, key });
  },
);

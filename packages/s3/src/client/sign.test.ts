/** Signs the examples that AWS publishes for Signature Version 4 on S3. */
import { expect, test } from "vitest";
import { createSigningKeys } from "../signature/signing-key.ts";
import { signHeaders, signUrl, timestampOf } from "./sign.ts";

const key = { id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const host = "examplebucket.s3.amazonaws.com";
const timestamp = "20130524T000000Z";
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const HELLO = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";

const examples: readonly [
  method: string,
  url: string,
  headers: Record<string, string>,
  names: string,
  signature: string,
][] = [
  [
    "GET",
    "/test.txt",
    { range: "bytes=0-9", "x-amz-content-sha256": EMPTY },
    "host;range;x-amz-content-sha256;x-amz-date",
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  ],
  [
    "PUT",
    "/test%24file.text",
    {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": HELLO,
    },
    "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  [
    "GET",
    "/?lifecycle",
    { "x-amz-content-sha256": EMPTY },
    "host;x-amz-content-sha256;x-amz-date",
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ],
  [
    "GET",
    "/?prefix=J&max-keys=2",
    { "x-amz-content-sha256": EMPTY },
    "host;x-amz-content-sha256;x-amz-date",
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ],
];

test.each(examples)("%s %s is signed as published", (method, url, given, names, signature) => {
  const headers = { host, "x-amz-date": timestamp, ...given };
  const keys = createSigningKeys();
  for (const signingKeys of [undefined, keys, keys]) {
    const signed = signHeaders({ method, url, headers, key, timestamp }, signingKeys);
    expect(signed.headers.authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=${key.id}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
    );
  }
});

test("an address is presigned as published", () => {
  const url = signUrl({ method: "GET", url: "/test.txt", headers: { host }, key, timestamp }, 86_400);
  expect(url).toContain("&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
});

test("a time is written without separators and fractions", () => {
  expect(timestampOf(Date.UTC(2013, 4, 24, 7, 8, 9, 123))).toBe("20130524T070809Z");
});

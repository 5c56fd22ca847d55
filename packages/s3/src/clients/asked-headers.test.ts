/** Checks that each x-amz- header and query parameter that AWS documents is honoured, ignored or refused. */
import * as aws from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { HEADER_RULES } from "../operations/asked/headers.ts";
import { HONOURED_PARAMETERS, IGNORED_PARAMETERS, REFUSED_PARAMETERS } from "../operations/asked/query.ts";
import { bucketConfigurations } from "../operations/configuration/of-buckets.ts";
import { objectConfigurations } from "../operations/configuration/of-objects.ts";
import { useWireEdge } from "../testing/use-edge.ts";
import { exchange } from "../testing/wire.ts";

const edge = await useWireEdge();

beforeAll(async () => {
  for (const key of ["k", "deleted"]) await exchange(edge, "PUT", `/bucket/${key}`, { body: "hello" });
});

/** Operations that have hosts of their own on AWS. */
const FOREIGN = ["WriteGetObjectResponse", "ListDirectoryBuckets"];

interface DocumentedNames {
  readonly headers: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
}

interface MemberTraits {
  readonly httpHeader?: string;
  readonly httpQuery?: string;
}

/** Reads the names of request headers and parameters from the SDK's model of S3. */
function readModel(): DocumentedNames {
  const headers = new Set<string>();
  const parameters = new Set<string>();
  for (const schema of Object.values(aws)) {
    if (!Array.isArray(schema) || schema[0] !== 9 || FOREIGN.includes(schema[2])) continue;
    const [, path = ""] = (schema[3] as { http: [string, string, number] }).http;
    for (const parameter of (path.split("?")[1] ?? "").split("&")) {
      if (parameter !== "") parameters.add(parameter.split("=")[0] as string);
    }
    const input: unknown = typeof schema[4] === "function" ? schema[4]() : schema[4];
    const members = Array.isArray(input) ? (input[5] as readonly unknown[]) : [];
    for (const member of members) {
      const traits = Array.isArray(member) ? (member[1] as MemberTraits) : {};
      if (traits.httpHeader) headers.add(traits.httpHeader.toLowerCase());
      if (traits.httpQuery) parameters.add(traits.httpQuery);
    }
  }
  return { headers, parameters };
}

const model = readModel();

/** Headers of operations that are refused by their query parameters before their headers are read. */
const OF_REFUSED_OPERATIONS = [
  "x-amz-client-token",
  "x-amz-object-if-match",
  "x-amz-rename-source",
  "x-amz-rename-source-if-match",
  "x-amz-rename-source-if-modified-since",
  "x-amz-rename-source-if-none-match",
  "x-amz-rename-source-if-unmodified-since",
];

const PARAMETERS_OF_REFUSED_OPERATIONS = ["annotation-prefix", "annotationName", "max-annotation-results"];

test("the SDK's model has headers and query parameters to check", () => {
  expect([...model.headers]).toEqual(expect.arrayContaining(["x-amz-acl", "x-amz-tagging", "if-match"]));
  expect([...model.parameters]).toEqual(expect.arrayContaining(["acl", "partNumber", "max-buckets"]));
});

test("every x-amz- header of the SDK's model has a rule", () => {
  const amazons = [...model.headers].filter((name) => name.startsWith("x-amz-"));
  const unknown = amazons.filter((name) => !HEADER_RULES.has(name));
  expect(unknown.sort()).toEqual(OF_REFUSED_OPERATIONS);
});

test("every query parameter of the SDK's model is read, ignored or refused", () => {
  const known = new Set([
    ...HONOURED_PARAMETERS,
    ...IGNORED_PARAMETERS,
    ...REFUSED_PARAMETERS.keys(),
    ...bucketConfigurations.keys(),
    ...objectConfigurations.keys(),
  ]);
  const unknown = [...model.parameters].filter((name) => !known.has(name));
  expect(unknown.sort()).toEqual(PARAMETERS_OF_REFUSED_OPERATIONS);
});

type Row = readonly [
  name: string,
  value: string,
  request: `${string} ${string}`,
  status: number,
  more?: Readonly<Record<string, string>>,
];

const copying = { "x-amz-copy-source": "bucket/k" };
const LATER = "Sun, 01 Feb 2026 12:00:00 GMT";
const EARLIER = "Thu, 01 Jan 1970 00:00:00 GMT";
const PUT = "PUT /bucket/put";
const COPY = "PUT /bucket/copied";
const CREATE = "PUT /created";

const rows: readonly Row[] = [
  ["x-amz-acl", "private", PUT, 200],
  ["x-amz-acl", "bucket-owner-full-control", PUT, 200],
  ["x-amz-acl", "public-read", PUT, 501],
  ["x-amz-api-version", "2006-03-01", "GET /bucket/k", 200],
  ["x-amz-bucket-namespace", "global", CREATE, 200],
  ["x-amz-bucket-namespace", "account-regional", CREATE, 501],
  ["x-amz-bucket-object-lock-enabled", "false", CREATE, 200],
  ["x-amz-bucket-object-lock-enabled", "true", CREATE, 501],
  ["x-amz-bucket-object-lock-token", "a", "PUT /bucket?object-lock", 501],
  ["x-amz-bypass-governance-retention", "true", "DELETE /bucket/deleted", 204],
  ["x-amz-checksum-algorithm", "CRC32", "POST /bucket/k?uploads", 200],
  ["x-amz-checksum-algorithm", "MD4", "POST /bucket/k?uploads", 400],
  ["x-amz-checksum-crc32", "AAAAAA==", PUT, 400],
  ["x-amz-checksum-crc32c", "AAAAAA==", PUT, 400],
  ["x-amz-checksum-crc64nvme", "AAAAAAAAAAA=", PUT, 400],
  ["x-amz-checksum-md5", "1B2M2Y8AsgTpgAmY7PhCfg==", PUT, 400],
  ["x-amz-checksum-md5", "XUFAKrxLKna5cZ2REBfFkg==", PUT, 200],
  ["x-amz-checksum-mode", "ENABLED", "GET /bucket/k", 200],
  ["x-amz-checksum-sha1", "2jmj7l5rSw0yVb/vlWAYkK/YBwk=", PUT, 400],
  ["x-amz-checksum-sha256", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", PUT, 400],
  ["x-amz-checksum-sha512", "a", PUT, 400],
  ["x-amz-checksum-type", "NONE", "POST /bucket/k?uploads", 400],
  ["x-amz-checksum-xxhash128", "a", PUT, 400],
  ["x-amz-checksum-xxhash3", "a", PUT, 400],
  ["x-amz-checksum-xxhash64", "a", PUT, 400],
  ["x-amz-confirm-remove-self-bucket-access", "true", "GET /bucket?location", 200],
  ["x-amz-content-sha256", "hash", PUT, 400],
  ["x-amz-copy-source", "bucket", COPY, 400],
  ["x-amz-copy-source", "bucket/k", COPY, 200],
  ["x-amz-copy-source-if-match", "other", COPY, 412, copying],
  ["x-amz-copy-source-if-modified-since", LATER, COPY, 412, copying],
  ["x-amz-copy-source-if-none-match", "*", COPY, 412, copying],
  ["x-amz-copy-source-if-unmodified-since", EARLIER, COPY, 412, copying],
  ["x-amz-copy-source-range", "bytes=0-1", "PUT /bucket/k?partNumber=1&uploadId=a", 404, copying],
  ["x-amz-copy-source-server-side-encryption-customer-algorithm", "AES256", COPY, 400, copying],
  ["x-amz-copy-source-server-side-encryption-customer-key", "a", COPY, 400, copying],
  ["x-amz-copy-source-server-side-encryption-customer-key-md5", "a", COPY, 400, copying],
  ["x-amz-create-session-mode", "ReadWrite", "GET /bucket?session", 501],
  ["x-amz-date", "yesterday", "GET /bucket/k", 403],
  [
    "x-amz-decoded-content-length",
    "many",
    PUT,
    400,
    { "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "x-amz-trailer": "x-amz-checksum-crc32" },
  ],
  ["x-amz-expected-bucket-owner", "stashlight", "GET /bucket/k", 200],
  ["x-amz-expected-bucket-owner", "other", "GET /bucket/k", 403],
  ["x-amz-expected-bucket-owner", "other", CREATE, 403],
  ["x-amz-grant-full-control", "", PUT, 200],
  ["x-amz-grant-full-control", 'id="stashlight"', PUT, 200],
  ["x-amz-grant-full-control", "id=other", PUT, 501],
  ["x-amz-grant-read", "", PUT, 200],
  ["x-amz-grant-read", "id=other", PUT, 501],
  ["x-amz-grant-read-acp", "id=other", PUT, 501],
  ["x-amz-grant-write", "id=other", CREATE, 501],
  ["x-amz-grant-write-acp", "id=other", PUT, 501],
  ["x-amz-if-match-initiated-time", LATER, "DELETE /bucket/k?uploadId=a", 501],
  ["x-amz-if-match-last-modified-time", LATER, "DELETE /bucket/k", 501],
  ["x-amz-if-match-size", "1", "DELETE /bucket/k", 501],
  ["x-amz-max-parts", "none", "GET /bucket/k?attributes", 400, { "x-amz-object-attributes": "ObjectParts" }],
  ["x-amz-metadata-directive", "MOVE", COPY, 400, copying],
  ["x-amz-mfa", "serial 123456", "DELETE /bucket/deleted", 204],
  ["x-amz-mp-object-size", "7", "POST /bucket/k?uploadId=a", 400],
  ["x-amz-object-annotation-directive", "COPY", COPY, 200, copying],
  ["x-amz-object-attributes", "Colour", "GET /bucket/k?attributes", 400],
  ["x-amz-object-lock-event-hold", "OFF", PUT, 200],
  ["x-amz-object-lock-event-hold", "ON", PUT, 501],
  ["x-amz-object-lock-event-hold-duration-days", "1", PUT, 501],
  ["x-amz-object-lock-event-hold-duration-years", "1", PUT, 501],
  ["x-amz-object-lock-legal-hold", "OFF", PUT, 200],
  ["x-amz-object-lock-legal-hold", "ON", PUT, 501],
  ["x-amz-object-lock-mode", "GOVERNANCE", PUT, 501],
  ["x-amz-object-lock-retain-until-date", "2027-01-01T00:00:00Z", PUT, 501],
  ["x-amz-object-ownership", "BucketOwnerEnforced", CREATE, 200],
  ["x-amz-object-ownership", "ObjectWriter", CREATE, 501],
  ["x-amz-optional-object-attributes", "RestoreStatus", "GET /bucket?list-type=2", 200],
  ["x-amz-optional-object-attributes", "Colour", "GET /bucket?list-type=2", 400],
  [
    "x-amz-part-number-marker",
    "none",
    "GET /bucket/k?attributes",
    400,
    { "x-amz-object-attributes": "ObjectParts" },
  ],
  ["x-amz-request-payer", "requester", "GET /bucket/k", 200],
  ["x-amz-sdk-checksum-algorithm", "CRC32C", PUT, 400, { "x-amz-checksum-crc32": "NhCmhg==" }],
  ["x-amz-security-token", "a", "GET /bucket/k", 501],
  ["x-amz-server-side-encryption", "AES256", PUT, 200],
  ["x-amz-server-side-encryption", "AES256", "GET /bucket/k", 400],
  ["x-amz-server-side-encryption", "aws:kms", PUT, 501],
  ["x-amz-server-side-encryption", "aws:kms:dsse", PUT, 501],
  ["x-amz-server-side-encryption", "aws:fsx", PUT, 501],
  ["x-amz-server-side-encryption", "", PUT, 400],
  ["x-amz-server-side-encryption", "AES128", PUT, 400],
  ["x-amz-server-side-encryption-aws-kms-key-id", "a", PUT, 501],
  ["x-amz-server-side-encryption-bucket-key-enabled", "false", PUT, 200],
  ["x-amz-server-side-encryption-bucket-key-enabled", "true", PUT, 501],
  ["x-amz-server-side-encryption-context", "a", PUT, 501],
  ["x-amz-server-side-encryption-customer-algorithm", "AES256", PUT, 400],
  ["x-amz-server-side-encryption-customer-key", "", "GET /bucket/k", 400],
  ["x-amz-server-side-encryption-customer-key-md5", "a", PUT, 400],
  ["x-amz-skip-destination-validation", "true", "GET /bucket?location", 200],
  ["x-amz-source-expected-bucket-owner", "stashlight", COPY, 200, copying],
  ["x-amz-source-expected-bucket-owner", "other", COPY, 403, copying],
  ["x-amz-storage-class", "STANDARD", PUT, 200],
  ["x-amz-storage-class", "GLACIER", PUT, 400],
  ["x-amz-tagging", "", PUT, 200],
  ["x-amz-tagging", "a=b", PUT, 200],
  ["x-amz-tagging", "a=b&a=c", PUT, 400],
  ["x-amz-tagging-directive", "COPY", COPY, 200, copying],
  ["x-amz-tagging-directive", "REPLACE", COPY, 200, { ...copying, "x-amz-tagging": "a=b" }],
  ["x-amz-tagging-directive", "MOVE", COPY, 400, copying],
  ["x-amz-te", "append-md5", "GET /bucket/k", 200],
  ["x-amz-trailer", "x-amz-checksum-crc32", PUT, 400],
  ["x-amz-transition-default-minimum-object-size", "all_storage_classes_128K", "GET /bucket?location", 200],
  ["x-amz-transition-default-minimum-object-size", "varies_by_storage_class", "GET /bucket?location", 501],
  ["x-amz-user-agent", "aws-sdk-js/3", "GET /bucket?location", 200],
  ["x-amz-website-redirect-location", "", PUT, 200],
  ["x-amz-website-redirect-location", "/other", PUT, 501],
  ["x-amz-write-offset-bytes", "5", PUT, 501],
];

test("every rule has a row in the table", () => {
  expect([...new Set(rows.map(([name]) => name))]).toEqual([...HEADER_RULES.keys()]);
});

const cases = rows.map(([name, value, request, status, more = {}]) => ({
  name,
  value,
  request,
  status,
  more,
}));

test.each(cases)("$name: $value on $request is answered $status", async (asked) => {
  const { name, value, request, status, more } = asked;
  const [method = "", url = ""] = request.split(" ");
  if (request === CREATE) await exchange(edge, "DELETE", "/created");
  const body = request === PUT ? { body: "hello" } : {};
  const answer = await exchange(edge, method, url, { ...body, headers: { ...more, [name]: value } });
  expect([answer.status, answer.status === status ? "" : answer.body]).toEqual([status, ""]);
});

test("a refusal names the header and the reason", async () => {
  const headers = { "x-amz-server-side-encryption-context": "e30=" };
  const { body } = await exchange(edge, "PUT", "/bucket/put", { body: "hello", headers });
  expect(body).toMatch(/key service .* is not implemented.*x-amz-server-side-encryption-context/);
});

test("a header that AWS does not document is refused", async () => {
  const answer = await exchange(edge, "GET", "/bucket/k", { headers: { "x-amz-colour": "blue" } });
  expect([answer.status, answer.body]).toEqual([501, expect.stringContaining("x-amz-colour")]);
});

describe("in the query of a request that is signed by a header,", () => {
  test.each([
    ["x-amz-tagging=", 200],
    ["x-amz-tagging=a%3Db", 400],
    ["x-amz-acl=public-read", 501],
    ["X-Amz-Server-Side-Encryption=AES256", 400],
    ["X-Amz-Server-Side-Encryption-Context=e30=", 501],
    ["x-amz-checksum-crc32=AAAAAA%3D%3D", 200],
    ["x-amz-expected-bucket-owner=other", 400],
    ["x-amz-expected-bucket-owner=stashlight", 400],
    ["X-Amz-Copy-Source=bucket%2Fdeleted", 400],
    ["x-amz-checksum-type=COMPOSITE", 400],
    ["x-amz-meta-colour=blue", 400],
    ["x-id=PutObject", 200],
  ])("%s is answered %i", async (query, status) => {
    expect((await exchange(edge, "PUT", `/bucket/put?${query}`, { body: "hello" })).status).toBe(status);
  });
});

test.each([...REFUSED_PARAMETERS.keys()])("the parameter %s is refused", async (name) => {
  for (const method of ["GET", "PUT", "POST", "DELETE"]) {
    for (const path of ["/bucket", "/bucket/k"]) {
      expect((await exchange(edge, method, `${path}?${name}=1`)).status).toBe(501);
    }
  }
  expect(edge.store.find({ bucket: "bucket", key: "k" })?.bytes.toString()).toBe("hello");
});

test.each([
  "DELETE /bucket?location",
  "DELETE /bucket?versions",
  "DELETE /bucket?uploads",
  "DELETE /bucket?attributes",
  "PUT /bucket?delete",
  "DELETE /bucket/k?attributes",
  "DELETE /bucket/k?uploads",
  "PUT /bucket/k?uploads",
  "GET /bucket/k?location",
  "DELETE /bucket?uploadId=1",
  "PUT /bucket?uploadId=1",
  "GET /bucket?uploadId=1",
  "HEAD /bucket/k?uploadId=1",
  "DELETE /bucket?partNumber=1",
  "PUT /bucket?partNumber=1",
  "DELETE /bucket/k?partNumber=1",
  "POST /bucket/k?partNumber=1&uploadId=1",
  "DELETE /bucket?prefix=logs/",
  "DELETE /bucket?max-keys=1",
  "DELETE /bucket?versionId=null",
  "DELETE /bucket/k?prefix=k",
  "PUT /bucket?list-type=2",
  "PUT /bucket/k?response-content-type=text/plain",
  "POST /bucket?delete&prefix=logs/",
  "POST /bucket/k?uploads&max-parts=1",
])("%s is refused, because the parameter belongs to another operation", async (request) => {
  const [method = "", url = ""] = request.split(" ");
  expect((await exchange(edge, method, url)).status).toBe(405);
});

test.each(["/bucket", "/bucket/k", "/new-bucket"])(
  "an unknown parameter of a write to %s is refused",
  async (path) => {
    for (const method of ["PUT", "DELETE"]) {
      const answer = await exchange(edge, method, `${path}?colour=blue`);
      expect([answer.status, answer.body]).toEqual([501, expect.stringContaining("The parameter colour")]);
      expect((await exchange(edge, "GET", `/bucket/k`)).body).toBe("hello");
    }
    expect((await exchange(edge, "GET", "/new-bucket?location")).status).toBe(404);
  },
);

test("parameters that begin with x- are ignored, and so are unknown parameters of reads", async () => {
  expect(
    (await exchange(edge, "PUT", "/bucket/put?x-id=PutObject&x-trace=1", { body: "hello" })).status,
  ).toBe(200);
  expect((await exchange(edge, "GET", "/bucket/k?colour=blue")).status).toBe(200);
});

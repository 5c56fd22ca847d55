import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultPlanInput } from "../sizing/defaults.ts";
import { checkStashPlanInput } from "../sizing/input.ts";
import { fillFromLoad, type ImportedLoad, isSure, LoadReader } from "./index.ts";

const SMALL = 1_048_576;

const golden = (name: string): string => readFileSync(join(import.meta.dirname, "golden", name), "utf8");

function read(...files: readonly string[]): ImportedLoad {
  const reader = new LoadReader({ smallBytesMax: SMALL });
  files.forEach((text, at) => {
    reader.startFile(`file-${at}`);
    reader.push(text);
    reader.endFile();
  });
  return reader.summary();
}

const owner = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";
const accessLine = (time: string, operation: string, status: number, size: number | "-") =>
  `${owner} vault [${time} +0000] 192.0.2.3 ${owner} 3E57427F3EXAMPLE ${operation} a%20b/c "PUT /vault/a%20b/c HTTP/1.1" ${status} - - ${size} 41 28 "-" "an agent \\"7\\"" - s9lzH= SigV4 ECDHE AuthHeader vault.s3.example.com TLSV1.2 - -`;

const clf = (second: number): string =>
  new Date(Date.UTC(2026, 10, 24) + second * 1000)
    .toISOString()
    .replace(/^(\d+)-(\d+)-(\d+)T(.*)\..*$/, "$3/Nov/$1:$4");

test("an S3 access log gives sizes, the rate of whole minutes and the busiest of them", () => {
  const lines: string[] = [];
  // 20 minutes with one upload per second, and three per second in the tenth.
  for (let second = 0; second < 1200; second += 1) {
    const times = Math.floor(second / 60) === 10 ? 3 : 1;
    for (let i = 0; i < times; i += 1)
      lines.push(accessLine(clf(second), "REST.PUT.OBJECT", 200, second % 2 ? 4_000 : 200_000));
  }
  lines.push(accessLine(clf(600), "REST.POST.UPLOAD", 200, 50_000_000));
  lines.push(accessLine(clf(601), "REST.PUT.PART", 200, 8_000_000));
  lines.push(accessLine(clf(602), "REST.GET.OBJECT", 200, 8_000));
  lines.push(accessLine(clf(603), "REST.PUT.OBJECT", 503, "-"));
  lines.push(accessLine(clf(604), "REST.POST.UPLOAD", 200, "-"));
  lines.push("a line that was cut");
  const load = read(`${lines.join("\n")}\n`);
  expect(load.files).toEqual([{ name: "file-0", format: "S3 server access log", problem: null }]);
  expect(load.lineCount).toBe(lines.length);
  expect(load.small).toEqual({ count: 1320, bytes: 660 * 204_000 });
  expect(load.large).toEqual({ count: 1, bytes: 50_000_000 });
  expect(load.smallShare).toBeCloseTo(1320 / 1321, 9);
  expect(load.passedOver).toEqual(
    expect.arrayContaining([
      { reason: "parts of large uploads", count: 1 },
      { reason: "requests other than uploads", count: 1 },
      { reason: "failed uploads", count: 1 },
    ]),
  );
  expect(load.malformedCount).toBe(2);
  expect(load.malformedExamples.map(({ line, message }) => [line, message])).toEqual([
    [1325, "An upload has no object size."],
    [1326, "It has no time in square brackets."],
  ]);
  // 18 whole minutes: the first and the last may be incomplete.
  expect(load.uploadsPerSecond.value).toBeCloseTo((17 * 60 + 180) / (18 * 60), 9);
  expect(load.peakFactor.value).toBeCloseTo(180 / ((17 * 60 + 180) / 18), 9);
  expect(load.byHour.filter((each) => each !== null)).toEqual([load.uploadsPerSecond.value]);
  expect(load.sizes).toEqual([
    { bytes: 4_000, share: 0.5, count: 660 },
    { bytes: 200_000, share: 0.5, count: 660 },
  ]);
  const filled = fillFromLoad(load);
  expect(filled).toEqual({
    uploadsPerSecond: 1.11,
    peakFactor: 2.7,
    objects: [
      { bytes: 4_000, share: 0.5 },
      { bytes: 200_000, share: 0.5 },
    ],
  });
  expect(checkStashPlanInput({ ...defaultPlanInput, ...filled }).problems).toEqual([]);
});

test("empty objects, and names with blanks and quotation marks, are counted in an S3 access log", () => {
  expect(read(golden("s3-odd.log"))).toMatchObject({
    lineCount: 38,
    malformedCount: 0,
    // 30 from 100,000 to 100,029 bytes, then 5,000, 6,000, 7,000, none and 900,000.
    small: { count: 35, bytes: 3_918_435 },
    passedOver: [
      { reason: "requests other than uploads", count: 1 },
      { reason: "parts of large uploads", count: 1 },
      { reason: "failed uploads", count: 1 },
    ],
  });
});

const w3c = [
  "#Version: 1.0",
  "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs-bytes",
  "2026-11-24\t10:00:00\tFRA2\t500\t192.0.2.9\tPUT\td1.example.net\t/a\t200\t70000",
  "2026-11-24\t10:00:01\tFRA2\t900\t192.0.2.9\tGET\td1.example.net\t/a\t200\t300",
  "2026-11-24\t10:00:02\tFRA2\t500\t192.0.2.9\tPUT\td1.example.net\t/b\t403\t400",
  "2026-11-24\t10:00:02\tFRA2",
].join("\n");

const b2Events = [
  `{"eventType":"b2:ObjectCreated:Upload","eventTimestamp":1795514400000,"objectName":"a","objectSize":70000}`,
  `{"eventType":"b2:ObjectCreated:MultipartUpload","eventTimestamp":1795514400500,"objectName":"b","objectSize":50000000}`,
  `{"eventType":"b2:HideMarkerCreated:Hide","eventTimestamp":1795514401000,"objectName":"a","objectSize":0}`,
  `{"eventType":`,
].join("\n");

const minio = [
  `{"version":"1","time":"2026-11-24T10:00:00.123456789Z","api":{"name":"PutObject","bucket":"b","object":"o","status":"OK","statusCode":200,"rx":70000}}`,
  `{"version":"1","time":"2026-11-24T10:00:00Z","api":{"name":"GetObject","status":"OK","statusCode":200,"rx":0,"tx":9}}`,
  `{"version":"1","time":"2026-11-24T10:00:00Z","api":{"name":"PutObject","status":"SlowDown","statusCode":503,"rx":70000}}`,
  `{"version":"1","time":"2026-11-24T10:00:00Z","api":{"name":"PutObjectPart","statusCode":200,"rx":70000}}`,
].join("\n");

const cloudTrail = JSON.stringify({
  Records: [
    {
      eventTime: "2026-11-24T10:00:00Z",
      eventName: "PutObject",
      requestParameters: { key: 'a "}[' },
      additionalEventData: { bytesTransferredIn: 70_000 },
    },
    { eventTime: "2026-11-24T10:00:00Z", eventName: "GetObject", additionalEventData: {} },
    { eventTime: "2026-11-24T10:00:00Z", eventName: "PutObject", errorCode: "AccessDenied" },
  ],
});

const listObjects = JSON.stringify(
  {
    IsTruncated: false,
    Contents: [
      {
        Key: "a]}",
        LastModified: "2026-11-20T10:00:00+00:00",
        ETag: '"x"',
        Size: 70_000,
        Owner: { ID: "o" },
      },
      { Key: "b", LastModified: "2026-11-21T10:00:00.000Z", ETag: '"y"', Size: 9_000_000 },
      { Key: "c", LastModified: "2026-11-21T10:00:00.000Z" },
    ],
    Name: "vault",
  },
  null,
  4,
);

const s3ls = [
  "2026-11-20 10:00:00      70000 a b/c.txt",
  "                           PRE photos/",
  "2026-11-21 10:00:00    9000000 d",
  "Total Objects: 2",
  "   Total Size: 9070000",
  "nonsense",
].join("\r\n");

const inventory = [
  `"vault","a%20b","v1","true","false","70000","2026-11-20T10:00:00.000Z","x","STANDARD"`,
  `"vault","a ""b"", c","v2","false","false","9000000","2026-11-21T10:00:00.000Z","y","STANDARD"`,
  `"vault","gone","v3","true","true","","2026-11-22T10:00:00.000Z","",""`,
  `"vault","open`,
].join("\n");

test.each<[string, string, string, Partial<ImportedLoad>]>([
  ["CloudFront", w3c, "W3C extended log (CloudFront)", { malformedCount: 1, isListing: false }],
  [
    "events of B2",
    b2Events,
    "JSON lines",
    { malformedCount: 1, isListing: false, large: { count: 1, bytes: 5e7 } },
  ],
  ["audit logs of MinIO", minio, "JSON lines", { malformedCount: 0, isListing: false }],
  ["CloudTrail", cloudTrail, "JSON document", { malformedCount: 0, isListing: false }],
  ["list-objects", listObjects, "JSON document", { malformedCount: 1, isListing: true, lineCount: 3 }],
  ["aws s3 ls", s3ls, "aws s3 ls", { malformedCount: 1, isListing: true, large: { count: 1, bytes: 9e6 } }],
  ["S3 Inventory", inventory, "CSV (S3 Inventory)", { malformedCount: 1, isListing: true }],
  ["CSV with a heading", "key,Size\na,70000\n", "CSV (S3 Inventory)", { malformedCount: 0, firstMs: null }],
])("the format of %s is recognised, and its one small upload has 70 kB", (_, text, format, expected) => {
  const load = read(text);
  expect(load.files).toEqual([{ name: "file-0", format, problem: null }]);
  expect(load.small).toEqual({ count: 1, bytes: 70_000 });
  expect(load).toMatchObject(expected);
});

test.each([
  ["", "The file is empty.", "aws s3 ls --recursive"],
  ["PAR1\u0000", "This is Parquet, but only text is read.", "duckdb -c"],
  ["PK\u0003\u0004", "This is a zip archive,", "unzip -p"],
  ["\ufffd7zXZ\u0000", "This is compressed with xz,", "unxz"],
  ["Dear Sir or Madam,\nhow are you?\n", 'It begins with "Dear Sir or Madam,"', "aws s3 ls --recursive"],
  [
    golden("s3ls-human.txt"),
    "This is aws s3 ls with --human-readable, which rounds",
    "aws s3 ls --recursive",
  ],
  [
    '192.0.2.9 - - [24/Nov/2026:10:00:00 +0000] "PUT /a HTTP/1.1" 201 0 "-" "an agent"\n',
    "This is the access log of a web server,",
    "log_format uploads",
  ],
  ['{\n  "Contents": []\n}\n', "This JSON document has no list of objects.", "aws s3api list-objects-v2"],
])(
  "an unusable file %j is refused with its kind and the command to run, and the files beside it are read",
  (text, what, command) => {
    const load = read(text, s3ls);
    expect(load.files[0]?.problem).toMatch(new RegExp(`^${what.replace(/[()]/g, "\\$&")}`));
    expect(load.files[0]?.problem).toContain(command);
    expect(load.small.count).toBe(1);
  },
);

test("a listing's sizes are used by default, and its rate is only offered", () => {
  const load = read([10, 11, 12].map((hour) => `2026-11-20 ${hour}:00:00    70000 a${hour}`).join("\n"));
  expect(load.uploadsPerSecond.value).not.toBeNull();
  expect(isSure(load, "uploadsPerSecond")).toBe(false);
  expect(isSure(load, "objects")).toBe(true);
  expect(load.notes.join(" ")).toContain("deleted or overwritten");
});

test("uploads without a time have sizes and no rate, and those of a single moment have no rate either", () => {
  const untimed = read("key,Size\na,70000\n");
  expect(untimed.uploadsPerSecond).toEqual({
    value: null,
    missing: "The lines have no time, so there is no rate.",
  });
  expect(fillFromLoad(untimed)).toEqual({ objects: [{ bytes: 70_000, share: 1 }] });
  expect(read(minio).uploadsPerSecond.missing).toBe("All uploads are within two minutes; a rate needs more.");
});

test("a truncated document and a line longer than a MiB are counted as malformed", () => {
  expect(read(cloudTrail.slice(0, -20)).malformedExamples.map(({ message }) => message)).toContain(
    "The document ends before it is complete.",
  );
  const long = `${s3ls}\r\n${"x".repeat(3_000_000)}\r\n2026-11-21 10:00:00    5 e`;
  expect(read(long)).toMatchObject({ malformedCount: 2, small: { count: 2 } });
});

test("the result does not depend on the pieces in which a file arrives", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(w3c, b2Events, minio, cloudTrail, listObjects, s3ls, inventory),
      fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 40 }),
      fc.boolean(),
      (text, lengths, isLong) => {
        // One file longer than the part that is examined for its format, and one shorter.
        const whole =
          isLong && text !== cloudTrail && text !== listObjects ? `${`${text}\n`.repeat(200)}` : text;
        const reader = new LoadReader({ smallBytesMax: SMALL });
        reader.startFile("file-0");
        let at = 0;
        for (const length of lengths) {
          reader.push(whole.slice(at, at + length));
          at += length;
        }
        reader.push(whole.slice(at));
        reader.endFile();
        expect(reader.summary()).toEqual(read(whole));
      },
    ),
    { numRuns: 60 },
  );
});

test("any sizes are grouped into at most eight with the same total bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: SMALL }), { minLength: 1, maxLength: 60 }), (sizes) => {
      const load = read(["key,size", ...sizes.map((size, at) => `${at},${size}`), ""].join("\n"));
      expect(load.sizes.length).toBeLessThanOrEqual(8);
      const bytes = load.sizes.reduce((sum, each) => sum + each.bytes * each.count, 0);
      const all = sizes.reduce((sum, each) => sum + each, 0);
      // Each class is rounded to a byte.
      expect(Math.abs(bytes - all)).toBeLessThanOrEqual(sizes.length);
      expect(load.sizes.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
    }),
  );
});

test("hours without an upload are reported, because files of a log may be missing", () => {
  const text = [0, 60, 120, 4 * 3600, 4 * 3600 + 60]
    .map((second) => accessLine(clf(second), "REST.PUT.OBJECT", 200, 10))
    .join("\n");
  expect(read(text).notes.join(" ")).toContain("3 of 5 hours have no upload");
});

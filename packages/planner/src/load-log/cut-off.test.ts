import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ImportedLoad, LoadReader } from "./index.ts";

function read(text: string): ImportedLoad {
  const reader = new LoadReader({ smallBytesMax: 1_048_576 });
  reader.startFile("a file");
  reader.push(text);
  reader.endFile();
  return reader.summary();
}

const golden = (name: string): string => readFileSync(join(import.meta.dirname, "golden", name), "utf8");

const w3c = [
  "#Version: 1.0",
  "#Fields: date time x-edge-location cs-method sc-status cs-bytes",
  "2026-11-24\t10:00:00\tFRA2\tPUT\t200\t70000",
  "2026-11-24\t10:03:01\tFRA2\tGET\t200\t300",
  "2026-11-24\t10:05:02\tFRA2\tPUT\t200\t123456",
  "",
].join("\n");

const jsonLines = [70_000, 123_456, 5_000_000]
  .map((objectSize, at) =>
    JSON.stringify({
      eventType: "b2:ObjectCreated:Upload",
      eventTimestamp: 1_795_514_400_000 + at * 180_000,
      objectSize,
    }),
  )
  .join("\n");

const contents = [70_000, 123_456, 5_000_000].map((Size, at) => ({
  Key: `a "]} ${at}`,
  LastModified: `2026-11-2${at}T10:00:00+02:00`,
  Size,
}));
const document = JSON.stringify({ Contents: contents, Name: "vault" }, null, 2);

const listing = [
  "2026-11-20 10:00:00      70000 a b/c.txt",
  "                           PRE photos/",
  "2026-11-21 10:00:00    9000000 d",
  "2026-11-22 10:00:00     123456 e",
  "",
].join("\r\n");

const inventory = contents
  .map(({ Size, LastModified }) => `"vault","a%20b","v1","true","false","${Size}","${LastModified}"`)
  .join("\n");

const bareCsv = ["key,LastModified,Size"]
  .concat(contents.map(({ Size, LastModified }, at) => `${at},${LastModified},${Size}`))
  .join("\n");
const timeLast = ["key,Size,LastModified"]
  .concat(contents.map(({ Size, LastModified }, at) => `${at},${Size},${LastModified}`))
  .join("\n");
const untimed = ["key,Size,ETag"].concat(contents.map(({ Size }, at) => `${at},${Size},abc`)).join("\n");

/** Returns the parts of a load that a plan may use, and the lines that mark it as incomplete. */
const figures = ({ small, large, firstMs, lastMs, sizes, uploadsPerSecond }: ImportedLoad) => ({
  small,
  large,
  firstMs,
  lastMs,
  sizes,
  uploadsPerSecond,
});

test.each([
  ["an S3 access log", golden("s3-odd.log").split("\n").slice(-9).join("\n")],
  ["a W3C log", w3c],
  ["JSON lines", jsonLines],
  ["a JSON document", document],
  ["a listing", listing],
  ["S3 Inventory", inventory],
  ["CSV with the size last", bareCsv],
  ["CSV with the time last", timeLast],
  ["CSV without times", untimed],
])(
  "reading %s cut off at any point gives the figures of its complete lines, or reports a truncated line",
  (_, text) => {
    /** Figures of the first lines, or of the first entries of a document. */
    const beginnings = new Map<number, ReturnType<typeof figures>>();
    for (let end = text.length; end > 0; end -= 1) {
      const load = read(text.slice(0, end));
      const key = load.small.count + load.large.count;
      const known = beginnings.get(key);
      // The longest text with the same number of uploads comes first; no shorter one may give another result.
      if (known === undefined) beginnings.set(key, figures(load));
      else expect(figures(load), `cut at ${end}`).toEqual(known);
    }
    expect(beginnings.size).toBeGreaterThan(2);
  },
);

test.each([
  ["CSV", bareCsv],
  ["a W3C log", w3c],
])("reading %s truncated within its last figure reports that line", (_, text) => {
  const cut = read(text.trimEnd().slice(0, -1));
  expect(cut.malformedExamples.map(({ message }) => message)).toEqual([
    "It has no line end, so its last column may be cut off.",
  ]);
});

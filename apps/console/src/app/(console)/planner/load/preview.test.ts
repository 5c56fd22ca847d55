import { LoadReader } from "@stashlight/planner/load-log";
import { expect, test } from "vitest";
import { draftTexts, hoursFigure, previewRows, progressWords, sizesFigure, toDraftMix } from "./preview.ts";

function read(text: string) {
  const reader = new LoadReader({ smallBytesMax: 1_000_000 });
  reader.startFile("list");
  reader.push(text);
  reader.endFile();
  return reader.summary();
}

const listing = read(
  Array.from({ length: 40 }, (_, at) => `2026-11-24 10:${10 + at}:00  ${at % 2 ? 4000 : 64_000} k${at}`).join(
    "\n",
  ),
);

test("each figure has the form's value and its upload count, and the rate of a listing is marked uncertain", () => {
  expect(previewRows(listing)).toEqual([
    {
      part: "objects",
      label: "Object sizes",
      isSure: true,
      found: "2 sizes, 4 kB to 64 kB",
      from: "40 uploads",
    },
    {
      part: "uploadsPerSecond",
      label: "Small uploads per second",
      isSure: false,
      found: "0.0167",
      from: "40 uploads, by when they were last written",
    },
    {
      part: "peakFactor",
      label: "Peak factor",
      isSure: false,
      found: "1",
      from: "40 uploads, by when they were last written",
    },
  ]);
});

test("only selected values are filled in, in the form's units", () => {
  expect(draftTexts(listing, new Set(["uploadsPerSecond"]))).toEqual({ uploadsPerSecond: "0.0167" });
  expect(draftTexts(listing, new Set(["objects"]))).toEqual({ smallUploadBytesMax: "976.5625" });
  expect(toDraftMix(listing)).toEqual([
    { key: 0, bytes: "4", share: "0.5" },
    { key: 1, bytes: "64", share: "0.5" },
  ]);
});

test("entries without a time have no rate and no chart of the day", () => {
  const untimed = read("key,size\na,4000\n");
  expect(previewRows(untimed)[1]).toMatchObject({
    found: null,
    from: "The lines have no time, so there is no rate.",
  });
  expect(hoursFigure(untimed).isEmpty).toBe(true);
  expect(sizesFigure(untimed).rows).toEqual([["about 4 kB", 1, "100 %"]]);
});

test("progress shows the share read, and the remaining time once it is known", () => {
  const progress = { type: "progress", bytesRead: 250e6, bytesTotal: 1e9, lineCount: 500_000 } as const;
  expect(progressWords(progress, 2_000)).toBe("500,000 lines, 250 MB of 1 GB, 6 s left");
  expect(progressWords(progress, 500)).toBe("500,000 lines, 250 MB of 1 GB");
});

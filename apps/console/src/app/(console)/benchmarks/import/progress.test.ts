import type { BenchmarkImportEvent } from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import { shownProgress } from "./progress.ts";
import { createEventReader, type UploadProgress } from "./upload.ts";

test.each<[UploadProgress, number, number | null, string]>([
  [{ stage: "sending", sentShare: 0.999 }, 900, 0.999, "99 % sent"],
  [{ stage: "reading", readShare: 0.01, sampleCount: 0 }, 100, 0.01, "1 % read, 0 samples"],
  [
    { stage: "reading", readShare: 0.25, sampleCount: 100_000 },
    2_000,
    0.25,
    "25 % read, 100,000 samples, about 6.0 s left",
  ],
  [{ stage: "reading", readShare: 1, sampleCount: 400_000 }, 8_000, 1, "100 % read, 400,000 samples"],
  [{ stage: "storing", readShare: 1, sampleCount: 400_000 }, 500, null, "400,000 samples, storing"],
])("progress %o after %d ms is shown as a bar position and a text", (progress, elapsedMs, share, detail) => {
  expect(shownProgress(progress, elapsedMs)).toEqual({ share, detail });
});

test("each line of the answer is read once, and only when it is complete", () => {
  const events: BenchmarkImportEvent[] = [];
  const reader = createEventReader((event) => events.push(event));
  const refused: BenchmarkImportEvent = { type: "refused", message: "Line 3." };
  const progress = { stage: "reading" as const, readShare: 0.5, sampleCount: 10 };
  const answer = [{ type: "progress", progress }, refused]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join("");
  for (let length = 0; length <= answer.length; length += 7) reader.read(answer.slice(0, length));
  expect(events).toEqual([{ type: "progress", progress }]);
  reader.read(answer);
  expect(events).toEqual([{ type: "progress", progress }, refused]);
});

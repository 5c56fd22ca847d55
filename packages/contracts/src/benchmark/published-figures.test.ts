import { expect, test } from "vitest";
import { findPublishedFigures } from "./published-figures.ts";

test.each([
  ["PUT", 256_000, [118, 157], "published 2023, 12 days of six-hourly runs"],
  ["PUT", 1_000_000, [137, 153], "published 2023, 12 days of six-hourly runs"],
  ["GET", 100_000_000, [4000, 1000], "objectbench, published, date not stated"],
] as const)("%s of %i B has its published figures with their source", (operation, sizeBytes, ms, source) => {
  const figures = findPublishedFigures({ operation, sizeBytes });
  expect(figures.map(({ publishedMs }) => publishedMs)).toEqual(ms);
  expect(new Set(figures.map((figure) => figure.source.text))).toEqual(new Set([source]));
});

test("an operation and size without published figures has none", () => {
  expect(findPublishedFigures({ operation: "GET", sizeBytes: 256_000 })).toEqual([]);
  expect(findPublishedFigures({ operation: "PUT", sizeBytes: 100_000_000 })).toEqual([]);
});

test("the caveat of the published restore has the times that its downloads give", () => {
  const [azure, gcs] = findPublishedFigures({ operation: "GET", sizeBytes: 100_000_000 });
  const restoreSeconds = (figure: typeof azure) => (100 * (figure?.publishedMs ?? 0)) / 1000;
  const given = `give ${restoreSeconds(azure)} s and ${restoreSeconds(gcs)} s`;
  expect(azure?.source.caveat).toContain(given);
});

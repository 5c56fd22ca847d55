import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { metricCatalogue } from "@stashlight/contracts/metrics";
import { metricViews, viewSchema } from "@stashlight/db/metrics";
import { expect, test } from "vitest";
import { repositoryRoot } from "../run/environment.ts";
import { withCatalogue } from "./catalogue.ts";

const document = await readFile(join(repositoryRoot, "docs/metrics.md"), "utf8");

test("docs/metrics.md has the current catalogue; pnpm docs:metrics updates it", () => {
  expect(document).toBe(withCatalogue(document));
});

test("every metric has a row, and that of fsync has its kind, unit and labels", () => {
  const rows = document.split("\n").filter((line) => line.startsWith("| `stashlight_"));
  expect(rows).toHaveLength(Object.keys(metricCatalogue).length);
  expect(rows).toContainEqual(
    expect.stringMatching(
      /^\| `stashlight_fsync_seconds` +\| histogram +\| seconds +\| `tier`, `device`, `modelled\?` +\|/,
    ),
  );
});

test("docs/metrics.md names every kind of view", () => {
  for (const kind of new Set(metricViews.map((name) => name.replace(/_[^_]+$/, "")))) {
    expect(document).toContain(`\`${viewSchema}.${kind}_*\``);
  }
});

test("a document without a place for the catalogue is refused", () => {
  expect(() => withCatalogue("# Metrics")).toThrow("no place for the catalogue");
});

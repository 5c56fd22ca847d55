import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { expect, test } from "../support/test.ts";

const KILOBYTES_MAX = 200;

const paths = [
  "/",
  "/write-path",
  "/stash",
  "/fsync",
  "/vaults",
  "/explorer",
  "/dashboards",
  "/benchmarks",
  "/benchmarks/import",
  "/benchmarks/compare",
  "/planner",
  "/planner/volumes",
  "/planner/drives",
  "/simulator",
  "/alerts",
  "/system",
  "/jobs",
  "/health",
  "/admin/users",
  "/admin/nodes",
  "/admin/channels",
  "/admin/endpoints",
  "/admin/access-keys",
  "/admin/audit",
  "/settings",
  "/help/glossary",
];

/** Scripts that the page's own HTML asks for, which delay it; what it fetches later, such as charts, is not counted. */
async function firstLoadKilobytes(page: Page, path: string): Promise<number> {
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  const html = (await (await page.goto(path, { waitUntil: "load" }))?.text()) ?? "";
  const asked = scripts.filter((response) => html.includes(new URL(response.url()).pathname));
  const sizes = await Promise.all(asked.map(async (response) => gzipSync(await response.body()).length));
  expect(sizes.length, "scripts were found").toBeGreaterThan(5);
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}

test("no page asks for more JavaScript at first than its budget", async ({ signedInAs }) => {
  const { page: first } = await signedInAs("admin");
  const tooLarge: string[] = [];
  for (const path of paths) {
    const page = await first.context().newPage();
    const kilobytes = await firstLoadKilobytes(page, path);
    if (kilobytes > KILOBYTES_MAX) tooLarge.push(`${path}: ${kilobytes.toFixed(1)} kB`);
    await page.close();
  }
  expect(tooLarge, `pages over ${KILOBYTES_MAX} kB, gzip-compressed`).toEqual([]);
});

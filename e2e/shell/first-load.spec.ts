import { gzipSync } from "node:zlib";
import type { APIRequestContext } from "@playwright/test";
import { expect, test } from "../support/test.ts";

const KILOBYTES_MAX = 200;

const paths = [
  "/",
  "/write-path",
  "/stash",
  "/fsync",
  "/vaults",
  "/buckets",
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

/** Polyfills, which browsers with module support do not load. */
const NO_MODULE = /<script[^>]*nomodule[^>]*>/gi;
const SCRIPT = /\/_next\/static\/[^"'\\\s]+?\.js/g;

/**
 * Sums the scripts named in the page's HTML, which delay it; scripts that it fetches later, such as charts, do not
 * count.
 */
async function firstLoadKilobytes(
  request: APIRequestContext,
  path: string,
  kilobytesOf: (script: string) => Promise<number>,
): Promise<number> {
  const html = (await (await request.get(path)).text()).replace(NO_MODULE, "");
  const scripts = [...new Set(html.match(SCRIPT))];
  expect(scripts.length, "scripts were found").toBeGreaterThan(5);
  const sizes = await Promise.all(scripts.map(kilobytesOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test("no page loads more JavaScript at first than the budget", async ({ signedInAs }) => {
  const { page } = await signedInAs("admin");
  const known = new Map<string, Promise<number>>();
  const scriptKilobytes = (script: string) => {
    const size =
      known.get(script) ??
      page.request.get(script).then(async (answer) => gzipSync(await answer.body()).length / 1_000);
    known.set(script, size);
    return size;
  };
  const tooLarge: string[] = [];
  for (const path of paths) {
    const kilobytes = await firstLoadKilobytes(page.request, path, scriptKilobytes);
    if (kilobytes > KILOBYTES_MAX) tooLarge.push(`${path}: ${kilobytes.toFixed(1)} kB`);
  }
  expect(tooLarge, `pages over ${KILOBYTES_MAX} kB, gzip-compressed`).toEqual([]);
});

/** JavaScript that a browser fetches for each page's first view, gzip-compressed. */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "@playwright/test";
import { chromiumFlags, findChromium } from "../chromium.ts";
import { repositoryRoot } from "../run/environment.ts";
import type { Measurement } from "./measurement.ts";

const budget = { name: "budget of 200 kB", value: 200 };
const password = "bench passphrase of four words";

const pages = [
  "/",
  "/write-path",
  "/stash",
  "/fsync",
  "/vaults",
  "/planner/volumes",
  "/planner/drives",
  "/alerts",
  "/system",
  "/jobs",
  "/health",
  "/admin/users",
  "/admin/nodes",
  "/admin/channels",
  "/admin/audit",
  "/settings",
];

export async function measurePageScripts(url: string, setupUrl: string): Promise<Measurement[]> {
  const executablePath = await findChromium({
    cacheFolder: join(repositoryRoot, "node_modules/.cache/chromium"),
    environment: process.env,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  const browser = await chromium.launch({ executablePath, args: chromiumFlags() });
  try {
    const signIn = await firstLoadKilobytes(browser, `${url}/sign-in`);
    const context = await browser.newContext();
    await setUp(await context.newPage(), setupUrl, url);
    const storageState = await context.storageState();
    const rows = [{ path: "/sign-in", kilobytes: signIn }];
    for (const path of pages) {
      rows.push({ path, kilobytes: await firstLoadKilobytes(browser, `${url}${path}`, storageState) });
    }
    return rows.map(({ path, kilobytes }) => ({
      name: `first-load JS of ${path}`,
      value: kilobytes,
      unit: "kB",
      against: budget,
    }));
  } finally {
    await browser.close();
  }
}

export async function setUp(page: Page, setupUrl: string, url: string): Promise<void> {
  await page.goto(setupUrl);
  await page.getByLabel("Name").fill("Bench");
  await page.getByLabel("E-mail").fill("bench@example.org");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create admin" }).click();
  await page.waitForURL(`${url}/`);
}

type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["storageState"]>>;

/** Scripts that the page's own HTML requests, which delay it; later requests are not counted. */
async function firstLoadKilobytes(
  browser: Browser,
  url: string,
  storageState?: StorageState,
): Promise<number> {
  const context = await browser.newContext(storageState === undefined ? {} : { storageState });
  try {
    const page = await context.newPage();
    const bodies = new Map<string, Promise<Buffer | null>>();
    page.on("response", (response) => {
      if (response.request().resourceType() === "script")
        bodies.set(
          response.url(),
          response.body().catch(() => null),
        );
    });
    const html = await page.goto(url, { waitUntil: "load" }).then((response) => response?.text() ?? "");
    let bytes = 0;
    for (const [address, body] of bodies) {
      if (!html.includes(new URL(address).pathname)) continue;
      const script = await body;
      if (script === null) throw new Error(`The script ${address} could not be read.`);
      bytes += gzipSync(script).length;
    }
    return bytes / 1000;
  } finally {
    await context.close();
  }
}

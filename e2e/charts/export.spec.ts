import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { MeasuredVault } from "../support/measured-vault.ts";
import { post } from "../support/post.ts";
import { expect, expectNoAxeViolations, isPictured, test } from "../support/test.ts";

let vault: MeasuredVault;

test.beforeAll(async ({ stashlight }) => {
  vault = await stashlight.seed.measuredVault();
});
test.afterAll(({ stashlight }) => stashlight.seed.forgetVault(vault));

const title = "Is purge keeping up?";

async function openMenu(page: Page): Promise<void> {
  const panel = page.getByRole("region", { name: title });
  await expect(panel.getByRole("slider")).toBeVisible();
  await panel.getByRole("button", { name: `Actions for “${title}”` }).click();
}

async function picture(page: Page): Promise<Buffer> {
  await openMenu(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Download as PNG" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("purge-lag.png");
  return readFile(await download.path());
}

/** Counts the pixels of each colour in the picture, as the browser decodes it. */
async function readColours(page: Page, png: Buffer) {
  return page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("There is no canvas.");
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const colour = `${data[at]},${data[at + 1]},${data[at + 2]}`;
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      return { width: bitmap.width, height: bitmap.height, counts: Object.fromEntries(counts) };
    },
    [...png],
  );
}

/** Returns a colour token of the theme in the canvas's notation. */
const token = (page: Page, name: string) =>
  page.evaluate((property) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    if (context === null) throw new Error("There is no canvas.");
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${property}`).trim();
    const number = Number.parseInt(String(context.fillStyle).slice(1), 16);
    return `${number >> 16},${(number >> 8) & 255},${number & 255}`;
  }, name);

for (const theme of ["light", "dark"] as const) {
  test(`a chart is exported as a picture with its text and marks in the ${theme} theme`, async ({
    signedInAs,
    stashlight,
  }) => {
    const { page } = await signedInAs("operator");
    await page.emulateMedia({ colorScheme: theme });
    await page.goto("/stash?from=now-1h&to=now");
    const bare = await readColours(page, await picture(page));
    const accent = await token(page, "accent-ink");
    const deploy = { text: "Deploy 4.2", startMs: Date.now() - 40 * 60_000 };
    const { annotationId } = await post<{ annotationId: string }>(
      page.request,
      stashlight.url,
      "annotation.create",
      deploy,
    );
    await page.reload();
    const annotation = page.getByRole("region", { name: title }).locator("[data-annotation]");
    await expect(annotation.filter({ hasText: "Deploy 4.2" })).toBeVisible();
    const png = await picture(page);
    await post(page.request, stashlight.url, "annotation.delete", { annotationId });
    const { width, height, counts } = await readColours(page, png);
    const markedCount = (counts[accent] ?? 0) - (bare.counts[accent] ?? 0);
    expect(markedCount, "a dashed line over the plot's height, and its words").toBeGreaterThan(300);
    expect(width).toBe(2_000);
    expect(height).toBeGreaterThan(800);
    const ground = counts[await token(page, "surface")] ?? 0;
    expect(ground / (width * height), "the ground is the theme's surface").toBeGreaterThan(0.6);
    expect(counts[await token(page, "ink")] ?? 0, "the title is written").toBeGreaterThan(500);
    expect(counts[await token(page, "stash")] ?? 0, "the p99 is drawn").toBeGreaterThan(500);
    expect(counts[await token(page, "faint")] ?? 0, "metric, range and origin are written").toBeGreaterThan(
      500,
    );
    if (isPictured) {
      const { writeFile, mkdir } = await import("node:fs/promises");
      await mkdir("test-results/screenshots", { recursive: true });
      await writeFile(`test-results/screenshots/panel-${theme}.png`, png);
    }
  });
}

test("a link to a chart keeps its time range, and the menu is accessible", async ({ signedInAs }) => {
  const { page } = await signedInAs("viewer");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/stash?from=now-1h&to=now");
  await openMenu(page);
  await expect(page.getByRole("menu", { name: `Actions for “${title}”` })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await expect(page.getByText("Link copied")).toBeVisible();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(link.pathname).toBe("/explorer");
  const { from, to, metric, stat } = Object.fromEntries(link.searchParams);
  expect({ metric, stat }).toEqual({ metric: "stashlight_purge_lag_seconds", stat: "percentiles" });
  const lengthMs = Date.parse(to ?? "") - Date.parse(from ?? "");
  expect(lengthMs).toBe(3_600_000);
  const { page: other } = await signedInAs("viewer");
  await other.goto(link.href);
  const plot = other.getByRole("region", { name: "Purge lag, percentiles" }).getByRole("slider");
  await expect(plot).toHaveAttribute("aria-valuemax", String(Date.parse(to ?? "")));
});

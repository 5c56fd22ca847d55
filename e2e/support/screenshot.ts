import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, type Page } from "@playwright/test";
import { toPalettePng } from "./palette-png.ts";

/** Pictures are not in git, except the README's. */
const FOLDER = resolve(import.meta.dirname, "../../test-results/screenshots");
const README_FOLDER = resolve(import.meta.dirname, "../../docs/screenshots");
/** The README's pictures are in git, and load with the README. */
const README_BYTES_MAX = 200_000;

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Writes the viewport to NAME.png in the README's folder. */
export async function readmePicture(page: Page, name: string): Promise<void> {
  const bytes = await write(page, README_FOLDER, name);
  expect(bytes, `${name} loads quickly`).toBeLessThanOrEqual(README_BYTES_MAX);
}

/** Writes the viewport to NAME.png. */
export const picture = (page: Page, name: string): Promise<number> => write(page, FOLDER, name);

/** Writes the picture, and resolves to its size in bytes. */
async function write(page: Page, folder: string, name: string): Promise<number> {
  await expect(page.locator("[aria-busy=true], [data-skeleton]")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const png = toPalettePng(await page.screenshot({ animations: "disabled" }));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), png);
  return png.byteLength;
}

/** Off by default: pictures are for people, and making them takes as long as the tests themselves. */
export const isPictured = process.env.STASHLIGHT_UPDATE_SCREENSHOTS === "1";

/**
 * Writes the whole page at both widths in both themes as NAME-1440-light.png and so on, if
 * STASHLIGHT_UPDATE_SCREENSHOTS is 1.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!isPictured) return;
  const before = page.viewportSize();
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    // As high as the page, so that elements that stay in place while scrolling appear once and in full.
    const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.max(height, pageHeight) });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

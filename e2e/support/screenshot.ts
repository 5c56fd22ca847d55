import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";

const FOLDER = resolve(import.meta.dirname, "../../test-results/screenshots");

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Writes the whole page at both widths in both themes: test-results/screenshots/NAME-1440-light.png and so on. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const path = join(FOLDER, `${name}-${size.width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: "disabled" });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

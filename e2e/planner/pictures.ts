import { expect, type Page } from "@playwright/test";
import { picture } from "../support/screenshot.ts";

/**
 * Takes pictures of the first screen only, at both widths in both themes, because a whole plan exceeds the maximum
 * size.
 */
export async function pictures(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const [width, height] of [
    [1440, 1400],
    [390, 1400],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

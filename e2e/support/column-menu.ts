import { expect, type Page } from "@playwright/test";
import { expectLoaded } from "./loaded.ts";

/**
 * Shows or hides a column by the menu of its table. Waits for the page's data first and opens the menu again if it
 * closed: a part that loads above the table moves the button away between press and release.
 */
export async function toggleColumn(page: Page, table: string, column: string): Promise<void> {
  await expectLoaded(page);
  const item = page.getByRole("menuitemcheckbox", { name: column });
  await expect(async () => {
    if (!(await item.isVisible()))
      await page.getByRole("button", { name: `Columns of ${table}`, exact: true }).click();
    await item.click({ timeout: 5_000 });
  }).toPass({ timeout: 30_000 });
  await page.keyboard.press("Escape");
}

import { expect, type Page } from "@playwright/test";

/** Waits until the page shows what it is about: empty tables and placeholders hide what a test would find. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true], [data-skeleton]")).toHaveCount(0);
}

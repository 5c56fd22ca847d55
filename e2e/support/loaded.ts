import { expect, type Page } from "@playwright/test";

/** A page whose data takes seconds may still be busy when two other browsers load theirs. */
const LOADED_MS_MAX = 60_000;

/** Waits until the page shows what it is about: empty tables and placeholders hide what a test would find. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true], [data-skeleton]")).toHaveCount(0, { timeout: LOADED_MS_MAX });
}

import { expect, type Page } from "@playwright/test";

/** A page whose data takes seconds may still be busy when two other browsers load theirs. */
const LOADED_MS_MAX = 60_000;

/** A button is busy while its own action runs, such as that of a job in the queue; the page is loaded all the same. */
const BUSY = "[aria-busy=true]:not(button), [data-skeleton]";

/** Waits for the page's data: empty tables and placeholders hide what a test would find. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(BUSY)).toHaveCount(0, { timeout: LOADED_MS_MAX });
}

import { expect, type Page } from "@playwright/test";

/** A page whose data takes seconds may take longer while two other browsers load theirs. */
const LOADED_MS_MAX = 60_000;

/** Excludes buttons, which are busy while their own action runs, such as that of a queued job. */
const BUSY = "[aria-busy=true]:not(button), [data-skeleton]";

/** Waits for the page's data, because empty tables and placeholders would hide what a test looks for. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Looks at each frame, because an expectation looks again only after 100, 250, 500 and 1000 ms.
  await page.waitForFunction(isIdle, BUSY, { polling: "raf", timeout: LOADED_MS_MAX });
  await expect(page.locator(BUSY)).toHaveCount(0, { timeout: LOADED_MS_MAX });
}

/** Runs in the page. A part that has loaded may ask for more, and is busy again one frame later. */
async function isIdle(busy: string): Promise<boolean> {
  for (let frame = 0; frame < 3; frame += 1) {
    if (document.querySelector(busy) !== null) return false;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return true;
}

import { expect, type Page } from "@playwright/test";
import { waitInPage } from "./wait-in-page.ts";

/** Waits for the page's data, because empty tables and placeholders would hide what a test looks for. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await waitInPage(page, waitUntilIdle, "parts of the page that are busy");
}

/**
 * Runs in the page, and returns what is still busy once nothing is or the time is over. A part that has loaded may ask
 * for more, and is busy again one frame later.
 */
async function waitUntilIdle(withinMs: number): Promise<string[]> {
  // Excludes buttons, which are busy while their own action runs, such as that of a queued job.
  const busy = "[aria-busy=true]:not(button), [data-skeleton]";
  const deadlineMs = performance.now() + withinMs;
  for (let idleFrames = 0; ; ) {
    const parts = [...document.querySelectorAll(busy)];
    idleFrames = parts.length === 0 ? idleFrames + 1 : 0;
    if (idleFrames === 3 || performance.now() > deadlineMs)
      return parts.map((part) => part.outerHTML.slice(0, 200));
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

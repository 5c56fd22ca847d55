import { expect, type Page } from "@playwright/test";

/** A page whose data takes seconds may take longer while two other browsers load theirs. */
const LOADED_MS_MAX = 60_000;
/** The page looks at each frame by itself, because Playwright looks again only after 100, 250, 500 and 1000 ms. */
const LOOK_MS_MAX = 5_000;

/** Excludes buttons, which are busy while their own action runs, such as that of a queued job. */
const BUSY = "[aria-busy=true]:not(button), [data-skeleton]";

/** Waits for the page's data, because empty tables and placeholders would hide what a test looks for. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect
    .poll(() => page.evaluate(waitUntilIdle, { busy: BUSY, withinMs: LOOK_MS_MAX }), {
      timeout: LOADED_MS_MAX,
    })
    .toEqual([]);
}

/**
 * Runs in the page, and returns what is still busy once nothing is or the time is over. A part that has loaded may ask
 * for more, and is busy again one frame later.
 */
async function waitUntilIdle({ busy, withinMs }: { busy: string; withinMs: number }): Promise<string[]> {
  const deadlineMs = performance.now() + withinMs;
  for (let idleFrames = 0; ; ) {
    const parts = [...document.querySelectorAll(busy)];
    idleFrames = parts.length === 0 ? idleFrames + 1 : 0;
    if (idleFrames === 3 || performance.now() > deadlineMs)
      return parts.map((part) => part.outerHTML.slice(0, 200));
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

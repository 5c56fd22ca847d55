import { expect, type Page } from "@playwright/test";

const HYDRATED_MS_MAX = 60_000;
/** The page looks often by itself, because Playwright looks again only after 100, 250, 500 and 1000 ms. */
const LOOK_MS_MAX = 5_000;

/**
 * Waits until React handles every control that the server rendered. An earlier click would be lost, and a machine that
 * runs three browsers may hydrate seconds late.
 */
export async function untilHydrated(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(waitForControls, LOOK_MS_MAX), {
      message: "controls that React does not listen to",
      timeout: HYDRATED_MS_MAX,
    })
    .toEqual([]);
}

/** Runs in the page. Returns the controls that React does not listen to, once there are none or the time is over. */
async function waitForControls(withinMs: number): Promise<string[]> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const deaf = [...document.querySelectorAll("button, input, select, textarea")].filter(
      (control) => !Object.keys(control).some((key) => key.startsWith("__reactProps$")),
    );
    if (deaf.length === 0 || performance.now() > deadlineMs)
      return deaf.map((control) => control.outerHTML.slice(0, 200));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Makes every navigation and reload of the page wait until the page can be used. */
export function waitForHydration(page: Page): Page {
  const { goto, reload } = page;
  page.goto = async (...args) => {
    const response = await goto.apply(page, args);
    await untilHydrated(page);
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload.apply(page, args);
    await untilHydrated(page);
    return response;
  };
  return page;
}

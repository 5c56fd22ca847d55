import { expect, type Page } from "@playwright/test";

const HYDRATED_MS_MAX = 60_000;

/**
 * Waits until React handles every control that the server rendered. An earlier click would be lost, and a machine that
 * runs three browsers may hydrate seconds late.
 */
async function untilHydrated(page: Page): Promise<void> {
  const deafControls = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, textarea")]
        .filter((control) => !Object.keys(control).some((key) => key.startsWith("__reactProps$")))
        .map((control) => control.outerHTML.slice(0, 200)),
    );
  await expect
    .poll(deafControls, { message: "controls that React does not listen to", timeout: HYDRATED_MS_MAX })
    .toEqual([]);
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

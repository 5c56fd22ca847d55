import type { Page } from "@playwright/test";
import { waitInPage } from "./wait-in-page.ts";

/**
 * Waits until React handles every control that the server rendered. An earlier click would be lost, and a machine that
 * runs three browsers may hydrate seconds late.
 */
export async function untilHydrated(page: Page): Promise<void> {
  await waitInPage(page, waitForControls, "controls that React does not listen to");
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

import { expect, type Locator } from "@playwright/test";

/** Scrolls until this is in view, even if it is replaced during that, as a placeholder is by its content. */
export async function scrollTo(locator: Locator): Promise<void> {
  await expect(() => locator.scrollIntoViewIfNeeded({ timeout: 5000 })).toPass({ timeout: 60_000 });
}

import { expect, type Locator } from "@playwright/test";

/** Scrolls until the element is in view, even if it is replaced meanwhile, as a placeholder is by its content. */
export async function scrollTo(locator: Locator): Promise<void> {
  await expect(() => locator.scrollIntoViewIfNeeded({ timeout: 5000 })).toPass({ timeout: 60_000 });
}

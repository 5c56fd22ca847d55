import { expect, type Locator } from "@playwright/test";

/** Scrolls until this is in view, also when it is replaced meanwhile: a placeholder gives way to what it stood for. */
export async function scrollTo(locator: Locator): Promise<void> {
  await expect(() => locator.scrollIntoViewIfNeeded({ timeout: 5000 })).toPass({ timeout: 60_000 });
}

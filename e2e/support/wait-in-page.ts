import { expect, type Page } from "@playwright/test";

/** A page may take this long while two other browsers load theirs. */
const WAIT_MS_MAX = 60_000;
/**
 * Time that the page itself polls in one evaluation, because Playwright evaluates again only after
 * 100, 250, 500 and 1000 ms.
 */
const LOOK_MS_MAX = 5_000;

/** `findLeft` runs in the page: it returns what it still waits for, once that is nothing or its time is over. */
export async function waitInPage(
  page: Page,
  findLeft: (withinMs: number) => Promise<string[]>,
  message: string,
): Promise<void> {
  await expect
    .poll(() => page.evaluate(findLeft, LOOK_MS_MAX), { message, timeout: WAIT_MS_MAX })
    .toEqual([]);
}

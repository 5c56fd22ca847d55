import type { Page } from "./page-buffer.ts";

/** A page that cannot be read back. Structures that need it cannot continue; the next boot rebuilds them. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly page: Page;

  constructor(page: Page, cause: Error) {
    super(`Page ${page} of the index cannot be read: ${cause.message}`, { cause });
    this.page = page;
  }
}

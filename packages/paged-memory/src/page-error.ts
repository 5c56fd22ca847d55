import type { Page } from "./page-buffer.ts";

/** A page that cannot be read back. Structures that need it cannot go on: what they hold is built again at a start. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly page: Page;

  constructor(page: Page, cause: Error) {
    super(`Page ${page} of the index cannot be read: ${cause.message}`, { cause });
    this.page = page;
  }
}

/**
 * Holds pages that are not in memory. Calls return once the system has the page or its content:
 * like a map of the file, they block the thread if a drive has to answer.
 */
import type { Page } from "./page-buffer.ts";

export interface PageFile {
  /** Throws if the page cannot be written. */
  write(page: Page, bytes: Uint8Array): void;
  /** Throws if the page cannot be read. */
  read(page: Page, bytes: Uint8Array): void;
  /** Gets a page that leaves memory; its bytes are as they were written last, and nothing may use them any more. */
  released?(page: Page, bytes: Uint8Array): void;
}

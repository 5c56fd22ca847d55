/**
 * Holds pages that are not in memory, each in a slot. Calls return once the system has the page or its content:
 * like a map of the file, they block the thread if a drive has to answer.
 */
export interface PageFile {
  /** Throws if the page cannot be written. */
  write(slot: number, bytes: Uint8Array): void;
  /** Throws if the page cannot be read. */
  read(slot: number, bytes: Uint8Array): void;
  /** Receives a page that leaves memory; its bytes equal those last written, and nothing may use them any more. */
  released?(slot: number, bytes: Uint8Array): void;
}

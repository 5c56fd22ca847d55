/** What the thread that syncs a file and the agent tell each other. */

export interface SyncThreadData {
  readonly path: string;
  readonly fileBytes: number;
  readonly recordBytes: number;
  readonly everyMs: number;
}

export type SyncMessage =
  /** A sync begins: whoever hears no more of it knows since when. */
  | { readonly type: "begins" }
  | { readonly type: "synced"; readonly seconds: number }
  | { readonly type: "failed"; readonly code: string; readonly message: string; readonly wasSync: boolean };

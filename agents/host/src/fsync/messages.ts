/** Messages between the agent and the thread that syncs a file. */

export interface SyncThreadData {
  readonly path: string;
  readonly fileBytes: number;
  readonly recordBytes: number;
  readonly everyMs: number;
}

export type SyncMessage =
  /** A sync begins. Until the next message, its start time shows how long it has been hanging. */
  | { readonly type: "begins" }
  | { readonly type: "synced"; readonly seconds: number }
  | { readonly type: "failed"; readonly code: string; readonly message: string; readonly wasSync: boolean };

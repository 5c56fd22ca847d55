/** Content to be stored in a vault, and content read from it. */
import type { UploadHeader } from "@stashlight/write-path";

export interface PutOptions {
  /** Bypasses the stash. */
  readonly isDirect?: boolean;
  /** Id of the client's request; null for the vault's own uploads. */
  readonly requestId: string | null;
  /** The upload may wait in the queue without a time limit. */
  readonly isPatient?: boolean;
  /** Needed for the vault's own operation, so it may use the space reserved for deletions. */
  readonly isVital?: boolean;
  /** Called when it is the upload's turn; an error that it throws refuses the upload. */
  readonly onTurn?: () => void;
}

/** Content stored under a key; its body in `bytes` must not change until the put has ended. */
export interface NewObject {
  readonly bucket: string;
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An object with its body in consecutive chunks, which are the shards as received if all are data shards. */
export interface StoredObject {
  readonly upload: UploadHeader;
  readonly parts: readonly Uint8Array[];
}

export interface StoredUpload {
  readonly upload: UploadHeader;
  readonly path: "stash" | "direct";
  /** Time from the call until the shards were sent, and from there to the answer. */
  readonly encodeMs: number;
  readonly quorumMs: number;
}

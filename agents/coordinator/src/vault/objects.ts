/** Content that goes into a vault, and content that comes out of it. */
import type { UploadHeader } from "@stashlight/write-path";

export interface PutOptions {
  /** Does not use the stash. */
  readonly isDirect?: boolean;
  /** The client's request that the upload belongs to; null for the vault's own uploads. */
  readonly requestId: string | null;
  /** The upload waits for its turn, however long that takes. */
  readonly isPatient?: boolean;
  /** The order of the vault's objects depends on it, so it may take the room that is kept for deletions. */
  readonly isVital?: boolean;
  /** Called when the upload's turn has come; an error that it throws refuses the upload. */
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

/** An object with its body in stretches that follow one another: as they came, if the data shards did. */
export interface StoredObject {
  readonly upload: UploadHeader;
  readonly parts: readonly Uint8Array[];
}

export interface StoredUpload {
  readonly upload: UploadHeader;
  readonly path: "stash" | "direct";
  /** From the call to the moment at which the shards were on their way, and from there to the answer. */
  readonly encodeMs: number;
  readonly quorumMs: number;
}

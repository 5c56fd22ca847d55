/** Backend of the S3 edge. */
import type { StoreSpace } from "@stashlight/s3";
import type { Owner } from "./records/pieces.ts";
import type { VaultSession } from "./session.ts";
import type { Vault } from "./vault/vault.ts";
import type { VaultVerbs } from "./vault/verbs.ts";

export interface Endpoint {
  readonly sessions: readonly VaultSession[];
  /** The first vault: its file holds the access keys, and its S3 address is the endpoint's. */
  readonly first: VaultSession;
  readonly verbs: VaultVerbs;
  readonly room: Pick<Vault, "checkRoom" | "freeBytes">;
  /** Returns null while the space of any vault is unknown. */
  readonly findSpace: () => StoreSpace | null;
  /** Generates an id for a body in pieces or for a multipart upload. */
  readonly newId: (owner: Owner) => string;
  /** True once `check` has resolved. */
  readonly isChecked: boolean;
  /** Rejects with an S3Error if these vaults may not be served, or while that is unknown. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

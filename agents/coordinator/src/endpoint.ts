/** Backend of the S3 edge. */
import type { StoreSpace } from "@stashlight/s3";
import type { Owner } from "./records/pieces.ts";
import type { VaultSession } from "./session.ts";
import type { Vault } from "./vault/vault.ts";
import type { VaultVerbs } from "./vault/verbs.ts";

export interface Endpoint {
  readonly sessions: readonly VaultSession[];
  /** Its file has the access keys, and its S3 address is the endpoint's. */
  readonly first: VaultSession;
  readonly verbs: VaultVerbs;
  readonly room: Pick<Vault, "checkRoom" | "freeBytes">;
  /** Null while the space of a vault is unknown. */
  readonly findSpace: () => StoreSpace | null;
  /** An id for a body in pieces or for a multipart upload. */
  readonly newId: (owner: Owner) => string;
  /** True once `check` has resolved. */
  readonly isChecked: boolean;
  /** Rejects with an S3Error while it is unknown whether these vaults may be served, or if they may not. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

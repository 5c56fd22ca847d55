/** Reads the vault's key from its file for a coordinator, and again when it may have changed. */
import {
  readEncryptionKeys,
  type VaultFile,
  VaultFileError,
  type VaultKey,
} from "@stashlight/node-runtime/config";
import { S3Error } from "@stashlight/s3";

/** Time within which a rotation on this machine is noticed. */
const READ_EVERY_MS = 1000;

export type KeyringState =
  /** Error for a vault's file that names no key. */
  | { readonly type: "none" }
  | { readonly type: "ready"; readonly keys: readonly VaultKey[] }
  | { readonly type: "lost"; readonly sentence: string };

export interface KeyringOptions {
  readonly file: Pick<VaultFile, "clusterId" | "encryption">;
  readonly nowMs: () => number;
}

export class VaultKeyring {
  readonly #options: KeyringOptions;
  #state: KeyringState | null = null;
  #readMs = 0;

  constructor(options: KeyringOptions) {
    this.#options = options;
  }

  get clusterId(): string {
    return this.#options.file.clusterId;
  }

  /** True if new buckets are encrypted. */
  get encryptsNewBuckets(): boolean {
    return this.#options.file.encryption?.newBuckets === "AES256";
  }

  /** Reads the file, unless it was read within the last second. */
  state(): KeyringState {
    const nowMs = this.#options.nowMs();
    if (this.#state === null || nowMs - this.#readMs >= READ_EVERY_MS) {
      this.#state = this.#read();
      this.#readMs = nowMs;
    }
    return this.#state;
  }

  /** Returns the key that wraps new keys. Throws an S3Error. */
  newest(): VaultKey {
    return this.#keys().at(-1) as VaultKey;
  }

  /** Throws an S3Error if the vault's key has no such version. */
  version(version: number): VaultKey {
    const found = this.#keys().find((key) => key.version === version);
    if (found !== undefined) return found;
    throw keyUnavailable(`Version ${version} of the vault's encryption key is missing in its file.`);
  }

  #keys(): readonly VaultKey[] {
    const state = this.state();
    if (state.type === "ready") return state.keys;
    if (state.type === "lost") throw keyUnavailable(state.sentence);
    throw new S3Error(
      "NotImplemented",
      "This vault has no encryption key; its operator can create one with vault encryption enable. SSE-C works without it.",
    );
  }

  #read(): KeyringState {
    const { encryption, clusterId } = this.#options.file;
    if (encryption === undefined) return { type: "none" };
    try {
      return { type: "ready", keys: readEncryptionKeys(encryption.keyFile, clusterId) };
    } catch (error) {
      if (!(error instanceof VaultFileError)) throw error;
      return { type: "lost", sentence: error.message };
    }
  }
}

/** Clients learn only that the key is unavailable; operators see the reason. */
export function keyUnavailable(sentence: string): S3Error {
  return new S3Error(
    "ServiceUnavailable",
    "The vault's encryption key is not available, so encrypted objects can be neither read nor written; its operator sees the reason in vault status.",
    { cause: new Error(sentence) },
  );
}

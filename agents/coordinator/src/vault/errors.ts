import type { Shortage } from "@stashlight/write-path";

/** Reason why the vault refused a request, which then never has an effect. */
export type VaultErrorCode =
  /** The key's content does not meet the condition. */
  | "precondition"
  /** Another write of the key was in progress, and no order between the two could be decided. */
  | "conflict"
  /** Too few pods have space for the write; operations that free space still work. */
  | "full"
  /** Too many nodes are down, busy or not yet settled. */
  | "unavailable"
  /** The object exists, but too few of its shards can be read. */
  | "undecodable";

const texts = {
  precondition: "The key does not meet the condition of the write.",
  conflict: "Another write of the key was in progress.",
  full: "The vault has too little free space for this. Delete objects or add capacity.",
  unavailable: "Too few nodes of the vault answered in time.",
  undecodable: "Too few shards of the object can be read.",
} as const satisfies Record<VaultErrorCode, string>;

export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly code: VaultErrorCode;
  /** Readable shards, for the code `undecodable`; otherwise null. */
  readonly shortage: Shortage | null;

  constructor(code: VaultErrorCode, message: string = texts[code], shortage: Shortage | null = null) {
    super(message);
    this.code = code;
    this.shortage = shortage;
  }
}

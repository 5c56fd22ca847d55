import type { Shortage } from "@stashlight/write-path";

/** Why the vault did not do what it was asked for; nothing of it shows, now or later. */
export type VaultErrorCode =
  /** The key does not hold what the condition says. */
  | "precondition"
  /** Another write of the key was under way, and neither could be told to be first. */
  | "conflict"
  /** Too few pods have room for the write; operations that free space go on. */
  | "full"
  /** Too many nodes are down, busy or not yet settled. */
  | "unavailable"
  /** The object exists, and too few of its shards can be read. */
  | "undecodable";

const texts = {
  precondition: "The key does not hold what the write was made conditional on.",
  conflict: "Another write of the key was under way.",
  full: "The vault is full. Delete objects or add capacity.",
  unavailable: "Too few nodes of the vault answered in time.",
  undecodable: "Too few shards of the object can be read.",
} as const satisfies Record<VaultErrorCode, string>;

export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly code: VaultErrorCode;
  /** The shards that can be read, where the code is `undecodable`. */
  readonly shortage: Shortage | null;

  constructor(code: VaultErrorCode, message: string = texts[code], shortage: Shortage | null = null) {
    super(message);
    this.code = code;
    this.shortage = shortage;
  }
}

/**
 * The vault's verbs that the store uses, so that the store can run on a wrapped vault, and in tests on one in memory.
 */
import type { Vault } from "./vault.ts";

export type VaultVerbs = Pick<Vault, "put" | "get" | "head" | "delete" | "list">;

/** The verbs of a vault that the store uses, so that the store can be given a wrapped vault, and tests one in memory. */
import type { Vault } from "./vault.ts";

export type VaultVerbs = Pick<Vault, "put" | "get" | "head" | "delete" | "list">;

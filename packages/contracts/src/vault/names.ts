import { z } from "zod";
import { vaultCountMax } from "./vault.ts";

/** Limits an answer to these vaults; if absent, covers every vault and nodes without a vault. */
export const vaultNames = z.array(z.string().min(1).max(63)).min(1).max(vaultCountMax).optional();

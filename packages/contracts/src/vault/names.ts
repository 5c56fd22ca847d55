import { z } from "zod";
import { vaultCountMax } from "./vault.ts";

/** Keeps an answer to these vaults; absent: every vault, and nodes of none. */
export const vaultNames = z.array(z.string().min(1).max(63)).min(1).max(vaultCountMax).optional();

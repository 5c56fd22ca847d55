import { z } from "zod";
import { vaultCountMax } from "./vault.ts";

/** Limits an answer to these vaults; absent: every vault, and nodes without one. */
export const vaultNames = z.array(z.string().min(1).max(63)).min(1).max(vaultCountMax).optional();

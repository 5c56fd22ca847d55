export type { VaultDurability } from "./durability.ts";
export * from "./spare-shards.ts";
export { type JudgedState, judgeVault, worstState } from "./vault-state.ts";

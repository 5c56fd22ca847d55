export type { VaultDurability } from "./durability.ts";
export {
  describeMarginSample,
  describeSpareShards,
  describeThinUpload,
  marginRounds,
  noSampledUpload,
} from "./spare-shards.ts";
export { type JudgedState, judgeVault, worstState } from "./vault-state.ts";

export type * from "./answers.ts";
export { checksum, decodeBody, decodeParts, encodeBody } from "./codec.ts";
export type { IndexMemory, IndexSpace } from "./index-memory.ts";
export type { Position } from "./positions.ts";
export { type KeptRecord, keyOfShard, parseShardName, recordKeys } from "./records.ts";
export * from "./saved-boot.ts";
export type { SavedBoot } from "./saved-store.ts";
export {
  forgetSharedHeaders,
  keepRecord,
  type Recovered,
  ShardStore,
  type StoreOptions,
} from "./store.ts";

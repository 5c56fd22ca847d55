export { checksum, decodeBody, decodeParts, encodeBody, rebuildShards } from "./codec.ts";
export type { Position } from "./positions.ts";
export {
  type KeptRecord,
  keyOfShard,
  keysOf,
  recordOfRefusal,
  recordOfShard,
  shardNameOf,
  shardOf,
} from "./records.ts";
export {
  keepRecord,
  type Recovered,
  ShardStore,
  type StoreAnswers,
  type StoreOptions,
  type StoreWitness,
} from "./store.ts";

export { checksum, decodeBody, encodeBody, rebuildShards } from "./codec.ts";
export type { Position } from "./positions.ts";
export { keyOfShard, recordOfRefusal, recordOfShard, shardNameOf, shardOf } from "./records.ts";
export {
  type Recovered,
  ShardStore,
  type StoreAnswers,
  type StoreOptions,
  type StoreWitness,
} from "./store.ts";

export {
  createMemoryStore,
  type MemoryObject,
  type MemoryStore,
  type MemoryStoreOptions,
} from "./memory-store.ts";
export { startEdge, type TestEdge, type TestEdgeOptions, testKeys } from "./start-edge.ts";

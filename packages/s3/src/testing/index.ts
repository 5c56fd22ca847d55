export type { MemoryObject } from "./memory-objects.ts";
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { startEdge, type TestEdge, type TestEdgeOptions, testKeys } from "./start-edge.ts";

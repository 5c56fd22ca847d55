export type { MemoryObject } from "./memory-objects.ts";
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { openConnection, type RawAnswer, type RawConnection, requestHead } from "./raw-connection.ts";
export { encodeSignedChunks, encodeUnsignedChunks, signHeaders, signUrl } from "./signer.ts";
export { startEdge, type TestEdge, type TestEdgeOptions, testKeys } from "./start-edge.ts";

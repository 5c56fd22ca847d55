export { createMemoryStore, type MemoryStore } from "./memory-store.ts";

export { type DiskCounters, type DiskFaults, healthy } from "./faults.ts";
export { PagePool } from "./page-pool.ts";
export type { MediaChangeCause, MediaListener } from "./page-store.ts";
export { type MediaPlace, SimulatedDisk, type SimulatedDiskOptions } from "./simulated-disk.ts";

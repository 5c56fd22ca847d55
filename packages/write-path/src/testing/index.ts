export * from "./machines.ts";
export * from "./put.ts";
export * from "./resolution.ts";
export * from "./samples.ts";
export * from "./settled-entry.ts";

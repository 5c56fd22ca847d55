export * from "./machines.ts";
export * from "./samples.ts";

export * from "./benchmark.ts";
export * from "./browser.ts";
export * from "./metrics.ts";
export * from "./receiver.ts";
export * from "./simulation.ts";
export * from "./support.ts";
export * from "./use-installation.ts";

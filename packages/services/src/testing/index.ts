export * from "./browser.ts";
export * from "./support.ts";

export * from "./disk/index.ts";

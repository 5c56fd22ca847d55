export * from "./access-key.ts";
export { accessKeyEffectSeconds } from "./limits.ts";

export { joinBody, partsOfBody, shardBytesFor, splitBody, writeBody, zeroAfterBody } from "./body.ts";
export { supportedEngines } from "./create-engine.ts";
export type { EngineName } from "./engine.ts";
export { createErasure, type Erasure, type ErasureOptions } from "./erasure.ts";
export { ErasureError, type ErasureErrorCode } from "./error.ts";
export type { WasmMemory } from "./kernel/instance.ts";
export { SCHEME_15_5, SCHEME_16_4, SCHEME_17_3, type Scheme } from "./scheme.ts";
export type { Stripe } from "./stripe.ts";

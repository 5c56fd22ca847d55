export { joinBody, partsOfBody, splitBody } from "./body.ts";
export { supportedEngines } from "./create-engine.ts";
export { createErasure, type Erasure, type ErasureOptions } from "./erasure.ts";
export type { ErasureErrorCode } from "./error.ts";
export type { EngineName } from "./kernel/engine.ts";
export type { WasmMemory } from "./kernel/instance.ts";
export { SCHEME_16_4, type Scheme } from "./scheme.ts";
export type { Stripe } from "./stripe.ts";

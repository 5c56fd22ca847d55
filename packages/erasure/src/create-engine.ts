import { ErasureError } from "./error.ts";
import { ENGINES, type Engine, type EngineName } from "./kernel/engine.ts";
import { isKernelSupported } from "./kernel/instance.ts";
import { createPlainEngine } from "./kernel/plain.ts";
import { createWasmEngine } from "./kernel/wasm.ts";

export function supportedEngines(): EngineName[] {
  return ENGINES.filter((name) => name === "js" || isKernelSupported(name));
}

/**
 * Creates the named engine, or the best available one, whose heap has `heapBytes` of space in addition to the engine's own.
 */
export function createEngine(name: EngineName | undefined, heapBytes: number): Engine {
  const supported = supportedEngines();
  const chosen = name ?? (supported[0] as EngineName);
  if (!supported.includes(chosen)) {
    throw new ErasureError(
      "engine_unavailable",
      `The engine "${chosen}" does not run here; supported are: ${supported.join(", ")}.`,
    );
  }
  return chosen === "js" ? createPlainEngine(heapBytes) : createWasmEngine(chosen, heapBytes);
}

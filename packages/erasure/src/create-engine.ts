import { ErasureError } from "./error.ts";
import { ENGINES, type Engine, type EngineName } from "./kernel/engine.ts";
import { isKernelSupported } from "./kernel/instance.ts";
import { createPlainEngine } from "./kernel/plain.ts";
import { createWasmEngine } from "./kernel/wasm.ts";

export function supportedEngines(): EngineName[] {
  return ENGINES.filter((name) => name === "js" || isKernelSupported(name));
}

/** Creates an engine whose heap has space for `heapBytes` besides its own; the best available one if none is named. */
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

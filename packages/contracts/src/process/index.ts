export { clientAddressHeader } from "./client-address-header.ts";
export { compileCacheEnvironment } from "./compile-cache.ts";
export { ENTRY_FLAG, type EntryName, isBundled, resolveEntry, runFromBundle } from "./entry.ts";
export { boundHeap } from "./heap.ts";
export { closeWhenAnswered, listen, startFailure } from "./http-server.ts";
export { onStop, onSupervisorGone, type ProcessReport, reportFailed, reportReady } from "./process.ts";
export { lineOutput } from "./standard-output.ts";

/** Reads a plan's load from access logs and listings on the machine where they are stored; nothing is sent anywhere. */
export { fillFromLoad, isSure, type LoadFill, type LoadPart, loadParts, takeLoad } from "./fill.ts";
export { LoadReader } from "./reader.ts";
export type { ImportedFigure, ImportedLoad, ReadFile } from "./summary.ts";

/** Largest upload that a vault sends through the stash unless its file has another limit. */
export const SMALL_BYTES_DEFAULT = 1_048_576;

/** A plan's load, read from access logs and listings where they are; nothing is sent anywhere. */
export { fillFromLoad, isSure, type LoadFill, type LoadPart, loadParts, takeLoad } from "./fill.ts";
export { LoadReader } from "./reader.ts";
export type { ImportedFigure, ImportedLoad, ReadFile } from "./summary.ts";

/** What a vault takes by the stash unless its file says otherwise. */
export const SMALL_BYTES_DEFAULT = 1_048_576;

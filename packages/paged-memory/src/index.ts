export { NOT_FOUND, OrderedTable, type SavedTable } from "./ordered-table.ts";
export { PAGE_BYTES, PAGE_WORDS, type Page, type PageBuffer } from "./page-buffer.ts";
export { PageError } from "./page-error.ts";
export type { PageFile } from "./page-file.ts";
export { PageMemory, type PageMemoryOptions, type SavedPages } from "./page-memory.ts";

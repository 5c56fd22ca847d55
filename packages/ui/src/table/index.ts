export { parseTableState, serializeTableState, type TableStateOptions, tableStateParams } from "./state.ts";
export type { CellValue, Column, Sort, SortDirection, TableState } from "./types.ts";

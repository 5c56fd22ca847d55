export type { CellValue, Column, Sort, SortDirection, TableState } from "./column-types.ts";
export { parseTableState, serializeTableState, type TableStateOptions, tableStateParams } from "./state.ts";

export { compareValues, filterRows, toCsv, toJson } from "./rows.ts";
export {
  emptyTableState,
  nextSort,
  parseTableState,
  serializeTableState,
  type TableStateOptions,
  tableStateParams,
} from "./state.ts";
export type { CellValue, Column, Sort, SortDirection, TableState } from "./types.ts";

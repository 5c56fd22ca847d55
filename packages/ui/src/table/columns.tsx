"use client";
import { Time, type TimeProps } from "../data/time.tsx";
import type { CellValue, Column } from "./column-types.ts";

type Extra<Row> = Partial<Column<Row>>;

/** A column of words. */
export const textColumn = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => CellValue,
  extra: Extra<Row> = {},
): Column<Row> => ({ id, header, value, ...extra });

/** A column of times. */
export const timeColumn = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => Date | number | null | undefined,
  time: Omit<TimeProps, "value"> = {},
  extra: Extra<Row> = {},
): Column<Row> => ({ id, header, value, cell: (row) => <Time value={value(row)} {...time} />, ...extra });

/** A column of numbers, which the filter ignores. */
export const numberColumn = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => CellValue,
  extra: Extra<Row> = {},
): Column<Row> => ({ id, header, numeric: true, filterable: false, value, ...extra });

/** Reads one JSON object per line. */
import type { LogFormat } from "../sink.ts";
import { readJsonRecord } from "./json-record.ts";

export const jsonLines: LogFormat = {
  name: "JSON lines",
  notes: [],
  open: () => ({
    read: readJsonRecord,
  }),
};

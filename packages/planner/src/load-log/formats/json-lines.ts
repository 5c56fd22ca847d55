/** Reads one JSON object per line. */
import type { LogFormat } from "../sink.ts";
import { readJsonRecord } from "./json-record.ts";

export const jsonLines: LogFormat = {
  name: "JSON lines",
  notes: [],
  open: () => ({
    read: (line, sink) => {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        return sink.malformed("It is not JSON.");
      }
      return readJsonRecord(value, sink);
    },
  }),
};

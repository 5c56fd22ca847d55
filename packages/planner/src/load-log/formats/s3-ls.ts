/** Reads the output of `aws s3 ls --recursive`: "2013-09-02 21:37:53 10 a.txt". */
import type { LogFormat } from "../sink.ts";
import { isoMs } from "../time.ts";

const LINE = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) +(\d{1,15}) /;
/** Matches sizes that `--human-readable` has rounded to a tenth of a unit, and those below 1 KiB with their unit. */
const ROUNDED = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} +\d+(\.\d+)? (Bytes?|[KMGTPE]iB) /;
const NOT_AN_OBJECT = /^ *(PRE |Total Objects:|Total Size:)/;

export const isS3Ls = (line: string): boolean => LINE.test(line) || NOT_AN_OBJECT.test(line);

export const isRoundedS3Ls = (line: string): boolean => ROUNDED.test(line);

export const s3Ls: LogFormat = {
  name: "aws s3 ls",
  notes: ["aws s3 ls prints times of the machine's own zone, which are read as UTC."],
  open: () => ({
    read: (line, sink) => {
      const [, time, size] = LINE.exec(line) ?? [];
      if (time !== undefined) {
        const atMs = isoMs(time);
        return atMs === null ? sink.malformed("Its time is not valid.") : sink.listed(atMs, Number(size));
      }
      if (NOT_AN_OBJECT.test(line)) return sink.passOver("folders and totals");
      return sink.malformed(
        isRoundedS3Ls(line)
          ? "Its size is rounded; run aws s3 ls without --human-readable."
          : "It has no time and size.",
      );
    },
  }),
};

import type { BenchmarkSample } from "@stashlight/contracts/sample";
import type { ImportLimits, ReadRun } from "./imported-run.ts";
import { RefusedFile } from "./refusal.ts";

/** Called for each sample, in the file's order. */
export type TakeSample = (sample: BenchmarkSample) => void;

/** Reads the text of one format in pieces of any length. It throws to refuse the file. */
export interface TextReader {
  push(text: string): void;
  /** Called at the end of the text; returns the content other than samples. */
  end(): ReadRun;
}

/** For formats that can only be parsed as a whole, whose files are small. */
export function wholeTextReader(limits: ImportLimits, read: (text: string) => ReadRun): TextReader {
  const parts: string[] = [];
  let length = 0;
  return {
    push(text) {
      length += text.length;
      if (length > limits.wholeTextLengthMax) {
        throw new RefusedFile(
          "too-large",
          `A file in this format may have at most ${limits.wholeTextLengthMax} characters of text; export the run as CSV, which may be longer.`,
        );
      }
      parts.push(text);
    },
    end: () => read(parts.join("")),
  };
}

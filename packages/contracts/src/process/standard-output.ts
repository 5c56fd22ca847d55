/**
 * Destination of a process's log lines. Pino's own destination tries forever to flush a line when the reader of the
 * pipe is gone, so a process whose supervisor was killed would never end, and would keep its ports and drives. Here a
 * line that cannot be written is lost.
 */
import { writeSync } from "node:fs";

const STANDARD_OUTPUT = 1;
const RETRY_MS = 10;
/** A slower reader loses lines, because the process must not be delayed. */
const RETRY_COUNT_MAX = 100;

export interface LineOutput {
  write(line: string): void;
}

/** Writes lines to standard output, or to another open file descriptor. */
export function lineOutput(fileDescriptor = STANDARD_OUTPUT): LineOutput {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  return {
    write(line) {
      let left = Buffer.from(line);
      let retryCount = 0;
      while (left.length > 0) {
        try {
          left = left.subarray(writeSync(fileDescriptor, left));
        } catch (error) {
          // The pipe is full (EAGAIN), or its reader is gone.
          const isFull = (error as NodeJS.ErrnoException).code === "EAGAIN";
          if (!isFull || retryCount === RETRY_COUNT_MAX) return;
          retryCount += 1;
          Atomics.wait(clock, 0, 0, RETRY_MS);
        }
      }
    },
  };
}

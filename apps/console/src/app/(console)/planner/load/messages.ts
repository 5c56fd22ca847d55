/** Messages between the page and the worker that reads logs. */
import type { ImportedLoad } from "@stashlight/planner/load-log";

export interface LoadQuestion {
  readonly files: readonly File[];
  readonly smallBytesMax: number;
}

export interface LoadProgress {
  readonly type: "progress";
  /** File contents, compressed or not. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly lineCount: number;
}

export type LoadMessage =
  | LoadProgress
  | { readonly type: "done"; readonly load: ImportedLoad }
  | { readonly type: "failed"; readonly sentence: string };

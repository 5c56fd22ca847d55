/** Messages between the measuring process and its parent. */
import type { DiskCell, DiskCellResult } from "@stashlight/contracts/disk";
import type { BucketModel } from "./bucket.ts";

export interface MeasuringJob {
  readonly path: string;
  /** Offset of the measured bytes; only a device has bytes before them. */
  readonly offsetBytes: number;
  readonly fileBytes: number;
  readonly isDirect: boolean;
  readonly cells: readonly DiskCell[];
  readonly coolDownSeconds: number;
  /** Limit on written bytes, including the test file. */
  readonly writtenBytesMax: number;
  /** Null for no limit in front of the drive. */
  readonly bucket: BucketModel | null;
  readonly seed: number;
}

export type ToMeasuring = { readonly type: "run"; readonly job: MeasuringJob };

export type FromMeasuring =
  | { readonly type: "ready" }
  /** Threads are being started, and no request is in flight. */
  | { readonly type: "starting"; readonly started: number; readonly wanted: number }
  /** The first request of the file or of a cell has been issued to the drive. */
  | { readonly type: "asked" }
  | { readonly type: "progress"; readonly doneSeconds: number; readonly writtenBytes: number }
  | { readonly type: "cell"; readonly result: DiskCellResult }
  | { readonly type: "end"; readonly sentence: string | null };

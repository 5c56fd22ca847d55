/** Where a measurement reads and writes: a file of its own in a folder, or a device that holds nothing. */
import type { MeasuredPlace } from "./measured-place.ts";
import { openRawDevice } from "./raw-device.ts";
import { createTestFile } from "./test-file.ts";

export type DrivePlace =
  | { readonly kind: "folder"; readonly folder: string }
  /** The path of a block device, such as /dev/nvme1n1. Whoever names one says that it may be overwritten. */
  | { readonly kind: "device"; readonly device: string };

export interface PlaceOptions {
  readonly place: DrivePlace;
  readonly fileBytes: number;
  readonly isDirect: boolean;
  /** Measures although a vault stores on the same file system. */
  readonly isBesideVault: boolean;
}

/** Throws a DiskError if the place may not be measured. */
export function openPlace({ place, ...options }: PlaceOptions): MeasuredPlace {
  return place.kind === "folder"
    ? createTestFile({ folder: place.folder, ...options })
    : openRawDevice({ device: place.device, ...options });
}

export const pathOf = (place: DrivePlace): string => (place.kind === "folder" ? place.folder : place.device);

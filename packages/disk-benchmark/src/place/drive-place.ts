/** Place that a measurement reads and writes: its own file in a folder, or an empty device. */
import type { MeasuredPlace } from "./measured-place.ts";
import { openRawDevice } from "./raw-device.ts";
import { createTestFile } from "./test-file.ts";

export type DrivePlace =
  | { readonly kind: "folder"; readonly folder: string }
  /** Path of a block device, such as /dev/nvme1n1. Naming one permits overwriting it. */
  | { readonly kind: "device"; readonly device: string };

export interface PlaceOptions {
  readonly place: DrivePlace;
  readonly fileBytes: number;
  readonly isDirect: boolean;
  /** Permits measuring although a vault stores data on the same file system. */
  readonly isBesideVault: boolean;
}

/** Opens the place. Throws a DiskError if it may not be measured. */
export function openPlace({ place, ...options }: PlaceOptions): MeasuredPlace {
  return place.kind === "folder"
    ? createTestFile({ folder: place.folder, ...options })
    : openRawDevice({ device: place.device, ...options });
}

export const placePath = (place: DrivePlace): string =>
  place.kind === "folder" ? place.folder : place.device;

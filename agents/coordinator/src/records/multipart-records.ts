/** Records of multipart uploads and their parts, kept in internal buckets that no client can name. */
import type { UploadName } from "@stashlight/s3";
import type { PieceList } from "./pieces.ts";

export const UPLOADS = ".uploads";
export const PARTS = ".parts";
export const SEPARATOR = "\0";
export const PART_DIGITS = 5;

const PART_PIECES = ":pieces";

export function recordKey({ bucket, key, uploadId }: UploadName): string {
  return [bucket, key, uploadId].join(SEPARATOR);
}

export function partKey(uploadId: string, partNumber: number): string {
  return `${uploadId}/${String(partNumber).padStart(PART_DIGITS, "0")}`;
}

export function packPartPieces(list: PieceList): Readonly<Record<string, string>> {
  return { [PART_PIECES]: JSON.stringify(list) };
}

export function unpackPartPieces(metadata: Readonly<Record<string, string>>): PieceList {
  return JSON.parse(metadata[PART_PIECES] ?? "") as PieceList;
}

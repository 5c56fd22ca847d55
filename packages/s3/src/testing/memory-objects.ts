/** Code shared by both halves of the memory store. */
import type {
  BodyDigests,
  ObjectInfo,
  ObjectName,
  UploadBody,
  WritePrecondition,
  WriteResult,
} from "../store.ts";

export interface MemoryObject extends ObjectInfo {
  readonly bytes: Buffer;
  readonly partSizesBytes: readonly number[] | null;
  readonly partChecksums?: readonly string[] | null;
}

export interface MemoryBucket {
  readonly createdMs: number;
  readonly owner: string;
  readonly settings: Map<string, string>;
  readonly objects: Map<string, MemoryObject>;
}

/** The part of the memory store that multipart uploads use. */
export interface MemoryObjects {
  bucket(name: string): MemoryBucket;
  put(
    name: ObjectName,
    object: Omit<MemoryObject, "modifiedMs">,
    precondition: WritePrecondition,
  ): WriteResult;
}

/** Reads all bytes of a body, and returns them only after its checks passed. */
export async function takeBody(body: UploadBody): Promise<{ bytes: Buffer; digests: BodyDigests }> {
  if (body.kind === "whole") return { bytes: Buffer.from(body.bytes), digests: body.digests };
  const pieces: Buffer[] = [];
  for await (const piece of body.chunks) pieces.push(Buffer.from(piece));
  const digests = await body.verify();
  return { bytes: Buffer.concat(pieces), digests };
}

export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

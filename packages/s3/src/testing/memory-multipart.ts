/** The multipart uploads of the store in memory. */
import { S3Error } from "../errors.ts";
import type { MultipartUpload, ObjectAttributes, ObjectStore, StoredPart, UploadName } from "../store.ts";
import { compareKeys, type MemoryObjects, takeBody } from "./memory-objects.ts";

interface OpenUpload extends MultipartUpload {
  readonly bucket: string;
  readonly attributes: ObjectAttributes;
  readonly parts: Map<number, StoredPart & { readonly bytes: Buffer }>;
}

type MultipartStore = Pick<
  ObjectStore,
  | "createMultipartUpload"
  | "findMultipartUpload"
  | "putPart"
  | "listParts"
  | "listMultipartUploads"
  | "completeMultipartUpload"
  | "abortMultipartUpload"
>;

export function createMultipartStore(objects: MemoryObjects, nowMs: () => number): MultipartStore {
  const uploads = new Map<string, OpenUpload>();
  let uploadCount = 0;

  const find = ({ bucket, key, uploadId }: UploadName): OpenUpload => {
    objects.bucket(bucket);
    const upload = uploads.get(uploadId);
    if (upload?.bucket !== bucket || upload.key !== key) throw new S3Error("NoSuchUpload");
    return upload;
  };

  return {
    createMultipartUpload: async (_, { bucket, key, attributes, checksum }) => {
      objects.bucket(bucket);
      uploadCount += 1;
      const uploadId = `upload-${String(uploadCount).padStart(6, "0")}`;
      const initiatedMs = nowMs();
      uploads.set(uploadId, { uploadId, bucket, key, attributes, checksum, initiatedMs, parts: new Map() });
      return { uploadId };
    },
    findMultipartUpload: async (_, name) => find(name),
    putPart: async (_, { partNumber, body, ...name }) => {
      find(name);
      const { bytes, digests } = await takeBody(body);
      const modifiedMs = nowMs();
      const part = { partNumber, bytes, sizeBytes: bytes.length, modifiedMs, ...digests };
      find(name).parts.set(partNumber, part);
      return { modifiedMs, path: "direct" };
    },
    listParts: async (_, { afterPartNumber, partCountMax, ...name }) => {
      const all = [...find(name).parts.values()].sort((a, b) => a.partNumber - b.partNumber);
      const parts = all.filter(({ partNumber }) => partNumber > afterPartNumber);
      return { parts: parts.slice(0, partCountMax), isTruncated: parts.length > partCountMax };
    },
    listMultipartUploads: async (_, { bucket, prefix, keyMarker, uploadIdMarker, uploadCountMax }) => {
      objects.bucket(bucket);
      const found = [...uploads.values()]
        .filter((upload) => upload.bucket === bucket && upload.key.startsWith(prefix))
        .filter(({ key, uploadId }) => {
          const order = compareKeys(key, keyMarker);
          return order > 0 || (order === 0 && uploadIdMarker !== "" && uploadId > uploadIdMarker);
        })
        .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.uploadId, b.uploadId));
      return { uploads: found.slice(0, uploadCountMax), isTruncated: found.length > uploadCountMax };
    },
    completeMultipartUpload: async (_, { parts, sizeBytes, etag, checksum, precondition, ...name }) => {
      const upload = find(name);
      const pieces = parts.map(({ partNumber, etag: expected }) => {
        const part = upload.parts.get(partNumber);
        if (part?.etag !== expected) throw new S3Error("InvalidPart");
        return part.bytes;
      });
      const { attributes } = upload;
      const object = { bytes: Buffer.concat(pieces), sizeBytes, etag, checksum, attributes };
      const result = objects.put(name, object, precondition);
      uploads.delete(name.uploadId);
      return result;
    },
    abortMultipartUpload: async (_, name) => {
      uploads.delete(find(name).uploadId);
    },
  };
}

/** Multipart uploads of the memory store. */
import { S3Error } from "../errors.ts";
import type {
  AppliedEncryption,
  MultipartUpload,
  ObjectAttributes,
  ObjectStore,
  StoreContext,
  StoredPart,
  UploadName,
} from "../store.ts";
import { applyEncryption, checkPartKey, etagOf } from "./memory-encryption.ts";
import { compareKeys, type MemoryObjects, takeBody } from "./memory-objects.ts";

interface OpenUpload extends MultipartUpload {
  readonly bucket: string;
  readonly owner: string;
  readonly attributes: ObjectAttributes;
  readonly encryption: AppliedEncryption;
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

type ListRequest = Parameters<MultipartStore["listMultipartUploads"]>[1];

export function createMultipartStore(objects: MemoryObjects, nowMs: () => number): MultipartStore {
  const uploads = new Map<string, OpenUpload>();
  let uploadCount = 0;

  const find = ({ principal }: StoreContext, { bucket, key, uploadId }: UploadName): OpenUpload => {
    objects.bucket(bucket);
    const upload = uploads.get(uploadId);
    const isThere = upload?.bucket === bucket && upload.key === key;
    if (!isThere || upload.owner !== principal.accessKey.owner) throw new S3Error("NoSuchUpload");
    return upload;
  };

  return {
    createMultipartUpload: async (
      { principal },
      { bucket, key, attributes, checksum, encryption: asked },
    ) => {
      const encryption = applyEncryption(objects.bucket(bucket), asked);
      uploadCount += 1;
      const uploadId = `upload-${String(uploadCount).padStart(6, "0")}`;
      const initiatedMs = nowMs();
      const { owner } = principal.accessKey;
      const terms = { bucket, key, owner, attributes, checksum, encryption };
      uploads.set(uploadId, { uploadId, ...terms, initiatedMs, parts: new Map() });
      return { uploadId, initiatedMs, encryption };
    },
    findMultipartUpload: async (context, name) => find(context, name),
    putPart: async (context, { partNumber, body, customerKey, ...name }) => {
      const { encryption } = find(context, name);
      checkPartKey(encryption, customerKey);
      const { bytes, digests } = await takeBody(body);
      const modifiedMs = nowMs();
      const etag = etagOf(encryption, digests);
      const content = { ...digests, ...(etag !== null && { etag }) };
      const part = { partNumber, bytes, sizeBytes: bytes.length, modifiedMs, ...content };
      find(context, name).parts.set(partNumber, part);
      return { modifiedMs, path: "direct", etag, encryption };
    },
    listParts: async (context, { afterPartNumber, partCountMax, ...name }) => {
      const all = [...find(context, name).parts.values()].sort((a, b) => a.partNumber - b.partNumber);
      const parts = all.filter(({ partNumber }) => partNumber > afterPartNumber);
      return { parts: parts.slice(0, partCountMax), isTruncated: parts.length > partCountMax };
    },
    listMultipartUploads: async ({ principal }, request) => {
      objects.bucket(request.bucket);
      return pageOfUploads([...uploads.values()], principal.accessKey.owner, request);
    },
    completeMultipartUpload: async (context, { parts, precondition, customerKey, ...request }) => {
      const { sizeBytes, etag, checksum, completion, ...name } = request;
      const upload = find(context, name);
      if (customerKey !== null || checksum !== null) checkPartKey(upload.encryption, customerKey);
      const pieces = parts.map(({ partNumber, etag: expected }) => {
        const part = upload.parts.get(partNumber);
        if (part?.etag !== expected) throw new S3Error("InvalidPart");
        return part.bytes;
      });
      const { attributes, encryption } = upload;
      const partSizesBytes = pieces.map(({ length }) => length);
      const partChecksums = checksum && parts.map((part) => part.checksum?.value ?? "");
      const bytes = Buffer.concat(pieces);
      const result = { sizeBytes, etag, checksum, completion, attributes, partSizesBytes, encryption };
      const written = objects.put(name, { bytes, partChecksums, ...result }, precondition);
      uploads.delete(name.uploadId);
      return { ...written, etag: null, encryption };
    },
    abortMultipartUpload: async (context, name) => {
      uploads.delete(find(context, name).uploadId);
    },
  };
}

function pageOfUploads(
  uploads: readonly OpenUpload[],
  reader: string,
  { bucket, prefix, keyMarker, uploadIdMarker, uploadCountMax }: ListRequest,
): { uploads: OpenUpload[]; isTruncated: boolean } {
  const found = uploads
    .filter(({ owner }) => owner === reader)
    .filter((upload) => upload.bucket === bucket && upload.key.startsWith(prefix))
    .filter(({ key, uploadId }) => {
      const order = compareKeys(key, keyMarker);
      return order > 0 || (order === 0 && uploadIdMarker !== "" && uploadId > uploadIdMarker);
    })
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.uploadId, b.uploadId));
  return { uploads: found.slice(0, uploadCountMax), isTruncated: found.length > uploadCountMax };
}

/**
 * Veeam's Smart Object Storage API (SOSAPI) 1.0. Veeam reads two objects of a bucket that no client has written: one
 * describes the store, the other its space. They are generated when read, and no list shows them. A client cannot write
 * them, but may delete what an earlier version stored under their keys, or its bucket could never be deleted.
 */
import { createHash } from "node:crypto";
import { S3Error } from "../errors.ts";
import type { ObjectName, ObjectReader, ObjectStore } from "../store.ts";
import { element, XML_DECLARATION, type XmlElement } from "../xml/write.ts";

const FOLDER = ".system-d26a9498-cb7c-4a87-a44a-8ae204f5ba6c";
export const SYSTEM_KEY = `${FOLDER}/system.xml`;
export const CAPACITY_KEY = `${FOLDER}/capacity.xml`;

/** Capacity and free space for objects, as used to admit uploads. */
export interface StoreSpace {
  readonly capacityBytes: number;
  readonly availableBytes: number;
}

/** Returns null while the space is unknown. */
export type FindSpace = () => StoreSpace | null;

interface SystemObjectsOptions {
  readonly store: ObjectStore;
  readonly findSpace: FindSpace;
  readonly nowMs: () => number;
}

/** Wraps a store so that each of its buckets has the two objects. */
export function withSystemObjects({ store, findSpace, nowMs }: SystemObjectsOptions): ObjectStore {
  const find = ({ key }: ObjectName): ObjectReader | null => {
    const document = writeDocument(key, findSpace);
    return document === null ? null : readerOf(document, nowMs());
  };
  return {
    ...store,
    findObject: async (context, name) => find(name)?.info ?? (await store.findObject(context, name)),
    headObject: async (context, name) => find(name)?.info ?? (await store.headObject(context, name)),
    getObject: async (context, name) => find(name) ?? (await store.getObject(context, name)),
    putObject: async (context, request) => {
      refuseSystemKey(request);
      return await store.putObject(context, request);
    },
    createMultipartUpload: async (context, request) => {
      refuseSystemKey(request);
      return await store.createMultipartUpload(context, request);
    },
    completeMultipartUpload: async (context, request) => {
      refuseSystemKey(request);
      return await store.completeMultipartUpload(context, request);
    },
  };
}

function refuseSystemKey({ key }: ObjectName): void {
  if (key !== SYSTEM_KEY && key !== CAPACITY_KEY) return;
  throw new S3Error(
    "AccessDenied",
    "The vault itself provides the object with this key; it cannot be written.",
  );
}

/** Returns null for every other key. Throws NoSuchKey while the space is unknown, rather than report a wrong figure. */
function writeDocument(key: string, findSpace: FindSpace): XmlElement | null {
  if (key === SYSTEM_KEY) return describeSystem();
  if (key !== CAPACITY_KEY) return null;
  const space = findSpace();
  if (space === null) throw new S3Error("NoSuchKey", "The space of the vault is not known at the moment.");
  return describeCapacity(space);
}

/** Veeam's own examples quote the values, so these do too. */
function describeSystem(): XmlElement {
  return element(
    "SystemInfo",
    element("ProtocolVersion", '"1.0"'),
    element("ModelName", '"Stashlight"'),
    element(
      "ProtocolCapabilities",
      element("CapacityInfo", true),
      element("UploadSessions", false),
      element("IAMSTS", false),
    ),
  );
}

function describeCapacity({ capacityBytes, availableBytes }: StoreSpace): XmlElement {
  return element(
    "CapacityInfo",
    element("Capacity", capacityBytes),
    element("Available", availableBytes),
    element("Used", capacityBytes - availableBytes),
  );
}

function readerOf({ xml }: XmlElement, modifiedMs: number): ObjectReader {
  const bytes = Buffer.from(XML_DECLARATION + xml);
  return {
    info: {
      sizeBytes: bytes.length,
      etag: createHash("md5").update(bytes).digest("hex"),
      modifiedMs,
      attributes: { contentType: "application/xml", contentHeaders: {}, userMetadata: {}, tags: [] },
      checksum: null,
      completion: null,
      encryption: { kind: "none" },
    },
    partSizesBytes: null,
    read: ({ start, end }) => [bytes.subarray(start, end)],
  };
}

/** Objects of the truth server: in one bucket, in memory, with versions if enabled. */
import { createHash, randomUUID } from "node:crypto";

interface Version {
  readonly versionId: string;
  /** Null for a delete marker. */
  readonly object: { readonly body: Buffer; readonly etag: string } | null;
}

export interface StoreAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface TruthStore {
  readonly keys: readonly string[];
  /** Number of versions of all keys, delete markers included. */
  readonly versionCount: number;
  handle(method: string, target: string, body: Buffer): StoreAnswer;
}

const LISTED_MAX = 3;
const NOTHING = Buffer.alloc(0);

export function createTruthStore(isVersioned: boolean): TruthStore {
  const objects = new Map<string, Version[]>();

  const put = (key: string, body: Buffer): StoreAnswer => {
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    const versionId = isVersioned ? randomUUID() : "null";
    add(key, { versionId, object: { body, etag } });
    return { status: 200, headers: { etag }, body: NOTHING };
  };
  const add = (key: string, version: Version): void => {
    objects.set(key, isVersioned ? [version, ...(objects.get(key) ?? [])] : [version]);
  };
  const remove = (key: string, versionId: string | null): StoreAnswer => {
    if (versionId !== null || !isVersioned) {
      const left = (objects.get(key) ?? []).filter(
        (each) => versionId !== null && each.versionId !== versionId,
      );
      if (left.length === 0) objects.delete(key);
      else objects.set(key, left);
    } else add(key, { versionId: randomUUID(), object: null });
    return { status: 204, headers: {}, body: NOTHING };
  };
  const read = (key: string): StoreAnswer => {
    const object = objects.get(key)?.[0]?.object;
    if (object == null) return error(404, "NoSuchKey");
    return { status: 200, headers: { etag: object.etag }, body: object.body };
  };

  return {
    get keys() {
      return [...objects.keys()];
    },
    get versionCount() {
      return [...objects.values()].reduce((sum, versions) => sum + versions.length, 0);
    },
    handle: (method, target, body) => {
      const { pathname, searchParams } = new URL(target, "http://server");
      const key = decodeURIComponent(pathname.split("/").slice(2).join("/"));
      if (method === "PUT") return put(key, body);
      if (method === "DELETE") return remove(key, searchParams.get("versionId"));
      if (key !== "") return read(key);
      if (searchParams.has("versions")) {
        return isVersioned ? listVersions(objects, searchParams) : error(501, "NotImplemented");
      }
      return listObjects(objects, searchParams);
    },
  };
}

function error(status: number, code: string): StoreAnswer {
  return { status, headers: {}, body: Buffer.from(`<Error><Code>${code}</Code></Error>`) };
}

/** Few entries per page, so that there are several pages. */
function listPage<T extends { key: string }>(entries: readonly T[], prefix: string, after: string | null) {
  const sorted = entries
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rest = sorted.filter(({ key }) => after === null || key > after);
  return { page: rest.slice(0, LISTED_MAX), isTruncated: rest.length > LISTED_MAX };
}

function listObjects(objects: ReadonlyMap<string, Version[]>, query: URLSearchParams): StoreAnswer {
  const entries = [...objects].filter(([, [newest]]) => newest?.object != null).map(([key]) => ({ key }));
  const { page, isTruncated } = listPage(entries, query.get("prefix") ?? "", query.get("continuation-token"));
  const contents = page
    .map(({ key }) => `<Contents><Key>${encodeURIComponent(key)}</Key></Contents>`)
    .join("");
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)?.key}</NextContinuationToken>` : "";
  return xml(
    `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`,
  );
}

function listVersions(objects: ReadonlyMap<string, Version[]>, query: URLSearchParams): StoreAnswer {
  const entries = [...objects].map(([key, versions]) => ({ key, versions }));
  const { page, isTruncated } = listPage(entries, query.get("prefix") ?? "", query.get("key-marker"));
  const all = page.flatMap(({ key, versions }) =>
    versions.map(({ versionId, object }) => {
      const element = object === null ? "DeleteMarker" : "Version";
      return `<${element}><Key>${encodeURIComponent(key)}</Key><VersionId>${versionId}</VersionId></${element}>`;
    }),
  );
  const next = isTruncated
    ? `<NextKeyMarker>${encodeURIComponent(page.at(-1)?.key ?? "")}</NextKeyMarker>`
    : "";
  return xml(
    `<ListVersionsResult><IsTruncated>${isTruncated}</IsTruncated>${next}${all.join("")}</ListVersionsResult>`,
  );
}

function xml(text: string): StoreAnswer {
  return { status: 200, headers: { "content-type": "application/xml" }, body: Buffer.from(text) };
}

/** Azure Blob Storage: block blobs, each uploaded by one request. */

import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import type { Driver, StoredContent } from "../../endpoint/driver.ts";
import type { EndpointTarget } from "../../endpoint/target.ts";
import type { Exchange } from "../../wire/connection.ts";
import { failureOfBlob } from "./failure.ts";
import { listBelow, listQuery } from "./list-below.ts";
import { createBlobPreparer } from "./prepare-request.ts";

export function createAzureBlobDriver(
  target: EndpointTarget,
  credentials: EndpointCredentials,
  nowMs: () => number,
): Driver {
  const prepare = createBlobPreparer(target, credentials, nowMs);
  const upload = { "x-ms-blob-type": "BlockBlob", "content-type": "application/octet-stream" };
  return {
    put: (blob, body) => prepare({ method: "PUT", blob, body, headers: upload }),
    get: (blob) => prepare({ method: "GET", blob }),
    head: (blob) => prepare({ method: "HEAD", blob }),
    delete: ({ key: blob, versionId }) =>
      prepare({ method: "DELETE", blob, ...(versionId === null ? {} : { query: { versionid: versionId } }) }),
    describe: () => prepare({ method: "GET", query: { restype: "container" } }),
    list: (prefix, countMax) => prepare({ method: "GET", query: listQuery(prefix, countMax) }),
    listBelow: (prefix, insist) =>
      listBelow(prefix, (query) => insist(() => prepare({ method: "GET", query, keepsBody: true }))),
    contentOf: readContent,
    failureOf: (exchange) => failureOfBlob(exchange, nowMs()),
    renew: async () => {},
  };
}

/** Reads the MD5 that the service computes over a single-request upload and stores with the blob. */
function readContent({ result }: Exchange): StoredContent {
  if (result.kind !== "answered") return { sizeBytes: null, md5Hex: null };
  const length = result.headers.get("content-length");
  const md5 = result.headers.get("content-md5");
  return {
    sizeBytes: length === undefined ? null : Number(length),
    md5Hex: md5 === undefined ? null : Buffer.from(md5, "base64").toString("hex"),
  };
}

/**
 * Google Cloud Storage driver. A service account's key file uses the JSON API, which uploads each object with one
 * request; an HMAC key uses the XML API, which signs and answers as S3 does.
 */

import {
  type EndpointCredentials,
  parseServiceAccount,
  type ServiceAccount,
} from "@stashlight/contracts/endpoint";
import { bytesOfUtf8, percentEncode } from "@stashlight/s3/client";
import { z } from "zod";
import type { Driver, FoundObject, Insist, RequestBody, StoredContent } from "../../endpoint/driver.ts";
import { splitRequest } from "../../endpoint/request-parts.ts";
import { type EndpointTarget, hostHeader } from "../../endpoint/target.ts";
import type { Exchange, WireRequest } from "../../wire/connection.ts";
import { createS3Driver } from "../s3/driver.ts";
import { AccessToken } from "./access-token.ts";
import { failureOfGcs } from "./failure.ts";

/** Region for which HMAC keys sign, regardless of the bucket's location. */
const HMAC_REGION = "auto";

export function createGcsDriver(
  target: EndpointTarget,
  credentials: EndpointCredentials,
  nowMs: () => number,
): Driver {
  const account = parseServiceAccount(credentials.secretAccessKey);
  if (account === null) return createS3Driver({ ...target, region: HMAC_REGION }, credentials, nowMs);
  return createJsonDriver(target, account, nowMs);
}

const encode = (text: string): string => percentEncode(bytesOfUtf8(text));

type Query = Readonly<Record<string, string>>;

interface JsonRequest {
  readonly method: WireRequest["method"];
  readonly path: string;
  readonly query?: Query;
  readonly body?: RequestBody;
  readonly keepsBody?: boolean;
}

function createJsonDriver(target: EndpointTarget, account: ServiceAccount, nowMs: () => number): Driver {
  const host = hostHeader(target);
  const token = new AccessToken(account, target, nowMs);
  const objects = `/storage/v1/b/${encode(target.bucket)}/o`;
  const prepare = ({ method, path, query = {}, body, keepsBody = false }: JsonRequest): WireRequest => {
    const parameters = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
    const url = parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
    const lines = [`host: ${host}`, `authorization: Bearer ${token.value}`];
    if (body !== undefined)
      lines.push("content-type: application/octet-stream", `content-length: ${body.bytes.length}`);
    const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
    return { method, ...splitRequest(head, body?.bytes ?? null), keepsBody };
  };
  const pageQuery = (prefix: string, countMax: number) => ({ prefix, maxResults: String(countMax) });
  return {
    put: (key, body) => {
      const query = { uploadType: "media", name: key };
      return prepare({ method: "POST", path: `/upload${objects}`, query, body, keepsBody: true });
    },
    get: (key) => prepare({ method: "GET", path: `${objects}/${encode(key)}`, query: { alt: "media" } }),
    head: (key) => prepare({ method: "GET", path: `${objects}/${encode(key)}`, keepsBody: true }),
    delete: ({ key, versionId }) => {
      const query: Query = versionId === null ? {} : { generation: versionId };
      return prepare({ method: "DELETE", path: `${objects}/${encode(key)}`, query });
    },
    describe: () => prepare({ method: "GET", path: `/storage/v1/b/${encode(target.bucket)}` }),
    list: (prefix, countMax) => prepare({ method: "GET", path: objects, query: pageQuery(prefix, countMax) }),
    listBelow: (prefix, insist) =>
      listBelow(insist, (pageToken) => {
        const next: Query = pageToken === null ? {} : { pageToken };
        const query = { ...pageQuery(prefix, PAGE_COUNT_MAX), versions: "true", ...next };
        return prepare({ method: "GET", path: objects, query, keepsBody: true });
      }),
    contentOf: readContent,
    failureOf: (exchange) => failureOfGcs(exchange, nowMs()),
    renew: (signal) => token.renew(signal),
  };
}

const PAGE_COUNT_MAX = 1000;

const pageSchema = z.object({
  items: z.array(z.object({ name: z.string(), generation: z.string().optional() })).default([]),
  nextPageToken: z.string().optional(),
});

/** Deletes each generation of an object permanently by its number. */
async function* listBelow(
  insist: Insist,
  requestOf: (pageToken: string | null) => WireRequest,
): AsyncGenerator<readonly FoundObject[]> {
  for (let pageToken: string | null = null; ; ) {
    const asked: string | null = pageToken;
    const { text } = await insist(() => requestOf(asked));
    const page = pageSchema.parse(JSON.parse(text));
    yield page.items.map(({ name, generation }) => ({ key: name, versionId: generation ?? null }));
    pageToken = page.nextPageToken ?? null;
    if (pageToken === null || pageToken === "") return;
  }
}

const objectSchema = z.object({ size: z.string().regex(/^\d{1,15}$/), md5Hash: z.string().optional() });

/** Uploads and metadata requests are answered with the object's resource. */
function readContent({ result, responseBody }: Exchange): StoredContent {
  const unknown = { sizeBytes: null, md5Hex: null };
  if (result.kind !== "answered") return unknown;
  try {
    const { size, md5Hash } = objectSchema.parse(JSON.parse(responseBody.toString("utf8")));
    const md5Hex = md5Hash === undefined ? null : Buffer.from(md5Hash, "base64").toString("hex");
    return { sizeBytes: Number(size), md5Hex };
  } catch {
    return unknown;
  }
}

/**
 * A small S3 client that stores and reads objects over persistent connections, with a tenth of the memory of the usual
 * SDK. Retries nothing, except when the server had closed an idle connection.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { crc32c } from "@stashlight/checksum";
import { bytesOfUtf8, percentEncode, percentEncodePath } from "../request/percent.ts";
import { sha256Hex } from "../signature/canonical.ts";
import { createSigningKeys } from "../signature/signing-key.ts";
import {
  errorOf,
  etagOf,
  headOf,
  type ListedKey,
  type ListPage,
  type ObjectHead,
  readBucketNames,
  readListPage,
  singleHeader,
} from "./answers.ts";
import { bytesOf, type Connection, chunksOf, createConnection } from "./connection.ts";
import { S3ClientError } from "./errors.ts";
import { type SigningAccessKey, signHeaders, timestampOf } from "./sign.ts";

/** Method by which the server verifies that a body arrived intact. */
export type PayloadCheck =
  /** The SHA-256 of the body is part of the signature. */
  | "signed"
  /** The body is not signed; only TLS or the transport protects it. */
  | "unsigned"
  /** The body is not signed, but its MD5 or CRC32C is sent with it. */
  | "md5"
  | "crc32c";

export interface S3ClientOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: SigningAccessKey;
  /** Limit on concurrent requests; further ones wait. */
  readonly connectionCountMax?: number;
  readonly idleTimeoutMs?: number;
  /** PEM of the CA of the server's certificate; required unless the system trusts it already. */
  readonly ca?: string;
  /** Milliseconds since 1970; requests are signed with it. */
  readonly nowMs?: () => number;
}

export interface ObjectName {
  readonly bucket: string;
  readonly key: string;
}

export interface PutObjectInput extends ObjectName {
  readonly body: Uint8Array;
  readonly check?: PayloadCheck;
  readonly contentType?: string;
  readonly userMetadata?: Readonly<Record<string, string>>;
}

export interface PutObjectResult {
  /** Without quotes; the MD5 of the body in hex. */
  readonly etag: string;
  /** Path by which a Stashlight vault stored the object; null from other servers. */
  readonly path: "stash" | "direct" | null;
  readonly requestId: string | null;
}

export interface OpenedObject {
  readonly head: ObjectHead;
  /** The caller reads the chunks to their end, or leaves the loop to abort. */
  readonly chunks: AsyncIterable<Buffer>;
}

interface Call {
  readonly method: "GET" | "PUT" | "HEAD" | "DELETE";
  /** Absent for operations on all buckets. */
  readonly bucket?: string;
  readonly key?: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly check?: PayloadCheck;
}

const LISTED_KEY_COUNT_MAX = 1000;

export class S3Client {
  readonly #options: S3ClientOptions;
  readonly #host: string;
  readonly #connection: Connection;
  readonly #signingKeys = createSigningKeys();

  constructor(options: S3ClientOptions) {
    const endpoint = new URL(options.endpoint);
    const { connectionCountMax = 64, idleTimeoutMs = 30_000, ca } = options;
    this.#options = options;
    this.#host = endpoint.host;
    this.#connection = createConnection({ endpoint, connectionCountMax, idleTimeoutMs, ca });
  }

  /** Rejects, as all methods do, with an S3ClientError. */
  async listBuckets(): Promise<string[]> {
    const incoming = await this.#send({ method: "GET" });
    return readBucketNames((await bytesOf(incoming)).toString("utf8"));
  }

  async createBucket(bucket: string): Promise<void> {
    await this.#finish({ method: "PUT", bucket });
  }

  async hasBucket(bucket: string): Promise<boolean> {
    try {
      await this.#finish({ method: "HEAD", bucket });
      return true;
    } catch (error) {
      if (error instanceof S3ClientError && error.status === 404) return false;
      throw error;
    }
  }

  /** Creates the bucket unless it exists; another client may create it at the same time. */
  async ensureBucket(bucket: string): Promise<void> {
    if (await this.hasBucket(bucket)) return;
    try {
      await this.createBucket(bucket);
    } catch (error) {
      if (!(error instanceof S3ClientError && error.code === "BucketAlreadyOwnedByYou")) throw error;
    }
  }

  async putObject({
    bucket,
    key,
    body,
    check,
    contentType,
    userMetadata = {},
  }: PutObjectInput): Promise<PutObjectResult> {
    const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
    for (const [name, value] of Object.entries(userMetadata)) {
      headers[`x-amz-meta-${name.toLowerCase()}`] = bytesOfUtf8(value);
    }
    const put = { method: "PUT", bucket, key, body, headers } as const;
    const incoming = await this.#finish(check === undefined ? put : { ...put, check });
    const path = singleHeader(incoming.headers, "x-stashlight-path");
    return {
      etag: etagOf(incoming.headers),
      path: path === "stash" || path === "direct" ? path : null,
      requestId: singleHeader(incoming.headers, "x-amz-request-id"),
    };
  }

  async headObject({ bucket, key }: ObjectName): Promise<ObjectHead> {
    return headOf(await this.#finish({ method: "HEAD", bucket, key }));
  }

  /** Streams an object of any size. */
  async openObject({ bucket, key }: ObjectName): Promise<OpenedObject> {
    const incoming = await this.#send({ method: "GET", bucket, key });
    return { head: headOf(incoming), chunks: chunksOf(incoming) };
  }

  async getObject(name: ObjectName): Promise<{ readonly head: ObjectHead; readonly body: Buffer }> {
    const incoming = await this.#send({ method: "GET", ...name });
    return { head: headOf(incoming), body: await bytesOf(incoming) };
  }

  /** Deleting a missing key is not an error. */
  async deleteObject({ bucket, key }: ObjectName): Promise<void> {
    await this.#finish({ method: "DELETE", bucket, key });
  }

  async listPage(
    bucket: string,
    options: { prefix?: string; token?: string | null } = {},
  ): Promise<ListPage> {
    const { prefix = "", token = null } = options;
    const query: [string, string][] = [
      ["encoding-type", "url"],
      ["list-type", "2"],
      ["max-keys", String(LISTED_KEY_COUNT_MAX)],
      ["prefix", prefix],
    ];
    if (token !== null) query.push(["continuation-token", token]);
    const incoming = await this.#send({ method: "GET", bucket, query });
    return readListPage((await bytesOf(incoming)).toString("utf8"));
  }

  /** Lists all objects whose keys begin with the prefix, page by page, in byte order of their keys. */
  async *list(bucket: string, prefix = ""): AsyncGenerator<ListedKey> {
    let token: string | null = null;
    do {
      const page: ListPage = await this.listPage(bucket, { prefix, token });
      yield* page.objects;
      token = page.nextToken;
    } while (token !== null);
  }

  /** Aborts requests in progress. */
  close(): void {
    this.#connection.close();
  }

  /** Finishes a call whose result is in the headers alone. */
  async #finish(call: Call): Promise<IncomingMessage> {
    const incoming = await this.#send(call);
    await bytesOf(incoming);
    return incoming;
  }

  async #send(call: Call): Promise<IncomingMessage> {
    const { method, bucket = "", key, query = [], body } = call;
    const object = key === undefined ? "" : `/${percentEncodePath(bytesOfUtf8(key))}`;
    const parameters = query.map(([name, value]) => `${name}=${percentEncode(bytesOfUtf8(value))}`).join("&");
    const path = `/${bucket}${object}${parameters === "" ? "" : `?${parameters}`}`;
    const headers = this.#sign(method, path, call);
    const incoming = await this.#connection.send({ method, path, headers, body: body ?? null });
    const status = incoming.statusCode ?? 0;
    if (status < 200 || status > 299) throw await errorOf(incoming);
    return incoming;
  }

  #sign(method: string, url: string, { headers = {}, body, check }: Call): Readonly<Record<string, string>> {
    const { region, accessKey, nowMs = Date.now } = this.#options;
    const timestamp = timestampOf(nowMs());
    const toSign = {
      ...headers,
      host: this.#host,
      "x-amz-date": timestamp,
      ...payloadHeaders(body, check ?? "signed"),
    };
    const request = { method, url, headers: toSign, key: accessKey, region, timestamp };
    const signed = signHeaders(request, this.#signingKeys).headers;
    return body === undefined ? signed : { ...signed, "content-length": String(body.length) };
  }
}

function payloadHeaders(body: Uint8Array | undefined, check: PayloadCheck): Record<string, string> {
  if (body === undefined || check === "signed") return { "x-amz-content-sha256": sha256Hex(body ?? "") };
  const unsigned = { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" };
  switch (check) {
    case "unsigned":
      return unsigned;
    case "md5":
      return { ...unsigned, "content-md5": createHash("md5").update(body).digest("base64") };
    case "crc32c": {
      const checksum = Buffer.alloc(4);
      checksum.writeUInt32BE(crc32c(body, 0));
      return { ...unsigned, "x-amz-checksum-crc32c": checksum.toString("base64") };
    }
  }
}

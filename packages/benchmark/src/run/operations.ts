/** Prepares operations with bodies in turn and keys below the run's prefix, and checks content hashes in answers. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Uniform } from "@stashlight/stats/random";
import type { Driver, StoredContent } from "../endpoint/driver.ts";
import type { EndpointFailure } from "../endpoint/failure.ts";
import type { Exchange, WireRequest } from "../wire/connection.ts";
import { createBodies, type UploadBody } from "./bodies.ts";
import { type StoredObject, StoredObjects } from "./stored-objects.ts";

export interface TimedOperation {
  readonly operation: "PUT" | "GET" | "HEAD" | "DELETE";
  readonly sizeBytes: number;
  readonly leg: number;
  /** Index of the run's connection, from 0. */
  readonly connection: number;
  /** Pause after the previous operation on this connection. */
  readonly pauseMs?: number;
  /** Reading of `performance.now()`: the operation does not start earlier, and is late if it starts later. */
  readonly intendedAt?: number;
  /** Body of an upload; by default the bodies of this size are used in turn. */
  readonly body?: UploadBody;
  /** Object of a download or a deletion; by default any object of this size. */
  readonly object?: StoredObject;
  /** Compares the download with its upload by MD5, once the clock has stopped. */
  readonly checksContent?: boolean;
  /** Last component of an upload's key; by default a number and a random part. */
  readonly keyName?: string;
  /** Component of an upload's key before the last; by default the number of the leg. */
  readonly folder?: string;
}

/** Upload whose key and bytes are known. */
export interface Upload {
  readonly key: string;
  readonly body: UploadBody;
}

export interface ReadyOperation {
  readonly request: WireRequest;
  readonly key: string;
  readonly body: UploadBody | null;
  /** Object to download or delete; null for an upload. */
  readonly object: StoredObject | null;
}

export interface OperationsOptions {
  readonly driver: Driver;
  readonly runPrefix: string;
  readonly seed: number;
  readonly random: Uniform;
}

export class Operations {
  readonly stored = new StoredObjects();
  readonly #options: OperationsOptions;
  #bodies = new Map<number, { readonly bodies: readonly UploadBody[]; next: number }>();
  #keyCount = 0;
  /** Uploads whose ETag reveals nothing about their content. */
  uncheckedEtagCount = 0;

  constructor(options: OperationsOptions) {
    this.#options = options;
  }

  /** Creates the bodies of these sizes, and drops the previous ones. */
  async prepareBodies(sizesBytes: readonly number[]): Promise<void> {
    this.#bodies = new Map();
    for (const sizeBytes of sizesBytes) {
      this.#bodies.set(sizeBytes, { bodies: createBodies(this.#options.seed, sizeBytes), next: 0 });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Returns the operation signed and hashed, so that only sending is left. */
  ready(operation: TimedOperation): ReadyOperation {
    const { driver, random } = this.#options;
    if (operation.operation === "PUT") {
      const upload = this.upload(operation);
      return { request: driver.put(upload.key, upload.body), ...upload, object: null };
    }
    const { operation: method, sizeBytes, checksContent = false } = operation;
    const object = operation.object ?? this.stored.pick(sizeBytes, random);
    assert(object, `No upload of ${sizeBytes} B has succeeded, so there is no object for ${method}.`);
    if (method === "DELETE") this.stored.forget(object);
    const request = { ...this.#requestOf(method, object.key), holdsChunks: checksContent };
    return { request, key: object.key, body: null, object };
  }

  upload({ sizeBytes, leg, body, keyName, folder = String(leg) }: TimedOperation): Upload {
    const key = `${this.#options.runPrefix}${folder}/${keyName ?? this.#nextName()}`;
    return { key, body: body ?? this.#nextBody(sizeBytes) };
  }

  /** Returns why the exchange failed, wrong contents included. */
  judge(exchange: Exchange, { request, key, body, object }: ReadyOperation): EndpointFailure | null {
    const { driver } = this.#options;
    const failure = driver.failureOf(exchange);
    if (failure !== null || exchange.result.kind !== "answered") return failure;
    const { status } = exchange.result;
    if (body !== null) return this.judgeUpload({ key, body }, driver.contentOf(exchange), status);
    if (object === null || request.method !== "GET") return null;
    if (exchange.responseBodyBytes !== object.sizeBytes)
      return { kind: "answered", code: "SizeMismatch", status };
    const isSame = request.holdsChunks !== true || hashMd5(exchange.responseChunks) === object.md5Hex;
    return isSame ? null : { kind: "answered", code: "ContentMismatch", status };
  }

  /** Records a successful upload as stored, unless its content differs from the sent body. */
  judgeUpload(
    { key, body }: Upload,
    { md5Hex }: Pick<StoredContent, "md5Hex">,
    status: number,
  ): EndpointFailure | null {
    if (md5Hex === null) this.uncheckedEtagCount += 1;
    else if (md5Hex !== body.md5Hex) return { kind: "answered", code: "EtagMismatch", status };
    this.stored.keep({ key, sizeBytes: body.bytes.length, md5Hex: body.md5Hex });
    return null;
  }

  #requestOf(method: "GET" | "HEAD" | "DELETE", key: string): WireRequest {
    const { driver } = this.#options;
    if (method === "DELETE") return driver.delete({ key, versionId: null });
    return method === "GET" ? driver.get(key) : driver.head(key);
  }

  #nextBody(sizeBytes: number): UploadBody {
    const ofSize = this.#bodies.get(sizeBytes);
    assert(ofSize, `The bodies of ${sizeBytes} B were not prepared.`);
    const body = ofSize.bodies[ofSize.next % ofSize.bodies.length] as UploadBody;
    ofSize.next += 1;
    return body;
  }

  #nextName(): string {
    const random = Math.floor(this.#options.random() * 4_294_967_296);
    return `${random.toString(16).padStart(8, "0")}-${this.#keyCount++}`;
  }
}

function hashMd5(chunks: readonly Buffer[]): string {
  const hash = createHash("md5");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

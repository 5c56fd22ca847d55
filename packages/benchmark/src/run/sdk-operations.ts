/** Uploads of a session through the AWS SDK, one after another, over the SDK's own connections. */

import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import { contentOfS3 } from "../drivers/s3/content.ts";
import type { EndpointTarget } from "../endpoint/target.ts";
import type { Operations, TimedOperation } from "./operations.ts";
import { createSdkUploader, type SdkUploader } from "./sdk-uploader.ts";
import { waitUntil } from "./wait-until.ts";

interface Endpoint {
  readonly target: EndpointTarget;
  readonly credentials: EndpointCredentials;
}

export class SdkOperations {
  readonly #endpoint: Endpoint;
  readonly #operations: Operations;
  #uploader: SdkUploader | null = null;
  #lastEndedAt: number | null = null;

  constructor(endpoint: Endpoint, operations: Operations) {
    this.#endpoint = endpoint;
    this.#operations = operations;
  }

  get openedCount(): number {
    return this.#uploader?.openedCount ?? 0;
  }

  async perform(operation: TimedOperation, timeoutMs: number, signal: AbortSignal) {
    const { target, credentials } = this.#endpoint;
    this.#uploader ??= await createSdkUploader(target, credentials, timeoutMs);
    const sdk = this.#uploader;
    const upload = this.#operations.upload(operation);
    const before = this.#lastEndedAt;
    await waitUntil((before ?? 0) + (operation.pauseMs ?? 0), signal);
    const openedBefore = sdk.openedCount;
    const { startedAt, endedAt, etag, failure } = await sdk.put(upload, signal);
    this.#lastEndedAt = endedAt;
    const isCold = sdk.openedCount > openedBefore;
    const answered = { kind: "answered", status: 200, headers: new Map([["etag", etag]]) } as const;
    const judged = failure ?? this.#operations.judgeUpload(upload, contentOfS3({ result: answered }), 200);
    return { key: upload.key, startedAt, endedAt, before, isCold, failure: judged };
  }

  close(): void {
    this.#uploader?.close();
  }
}

/**
 * What an endpoint's driver is: it knows how one kind of object store is spoken to. It makes requests as bytes, ahead of
 * the clock, and reads answers; the timing client sends them, the same for all, so that stores are compared and not clients.
 */
import type { Exchange, WireRequest } from "../wire/connection.ts";
import type { EndpointFailure } from "./failure.ts";

export interface RequestBody {
  readonly bytes: Buffer;
  readonly md5Hex: string;
  readonly sha256Hex: string;
}

export interface FoundObject {
  readonly key: string;
  /** Null where the store keeps no versions. */
  readonly versionId: string | null;
}

/** What a store says of an object's content; null where it says nothing. */
export interface StoredContent {
  readonly sizeBytes: number | null;
  readonly md5Hex: string | null;
}

/** Sends what is made, again where that may help, and resolves with the answer's body; rejects with an EndpointError. */
export type Insist = (make: () => WireRequest) => Promise<{ readonly text: string }>;

export interface Driver {
  put(key: string, body: RequestBody): WireRequest;
  get(key: string): WireRequest;
  /** Asks what the store knows of an object, without its bytes. */
  head(key: string): WireRequest;
  delete(object: FoundObject): WireRequest;
  /** Asks for the settings of the bucket or container. */
  describe(): WireRequest;
  /** At most so many objects below a prefix. */
  list(prefix: string, countMax: number): WireRequest;
  /** All that is below a prefix, page by page, versions included; what is deleted between two pages does not disturb. */
  listBelow(prefix: string, insist: Insist): AsyncGenerator<readonly FoundObject[]>;
  /** From the answer to an upload or to `head`. */
  contentOf(exchange: Exchange): StoredContent;
  /** What an exchange failed of; null if it was answered with success. */
  failureOf(exchange: Exchange): EndpointFailure | null;
  /** Before requests are made: sees to it that what signs them holds for a while longer. */
  renew(signal: AbortSignal): Promise<void>;
}

/**
 * Interface of a driver, which knows the protocol of one kind of object store. It prepares requests as bytes before the
 * clock starts, and reads answers. The same timing client sends the requests of all drivers, so that comparisons are
 * between stores and not between clients.
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
  /** Null if the store keeps no versions. */
  readonly versionId: string | null;
}

/** Content hashes reported by a store; null if it reports none. */
export interface StoredContent {
  readonly sizeBytes: number | null;
  readonly md5Hex: string | null;
}

/**
 * Sends a prepared request, retrying where that may help, and resolves with the answer's body; rejects with an
 * EndpointError.
 */
export type Insist = (make: () => WireRequest) => Promise<{ readonly text: string }>;

export interface Driver {
  put(key: string, body: RequestBody): WireRequest;
  get(key: string): WireRequest;
  /** Requests an object's metadata without its bytes. */
  head(key: string): WireRequest;
  delete(object: FoundObject): WireRequest;
  /** Requests the settings of the bucket or container. */
  describe(): WireRequest;
  /** Lists a limited number of objects below a prefix. */
  list(prefix: string, countMax: number): WireRequest;
  /** Lists everything below a prefix page by page, versions included; deletions between two pages are harmless. */
  listBelow(prefix: string, insist: Insist): AsyncGenerator<readonly FoundObject[]>;
  /** Reads the answer to an upload or to `head`. */
  contentOf(exchange: Exchange): StoredContent;
  /** Reason why an exchange failed; null if it succeeded. */
  failureOf(exchange: Exchange): EndpointFailure | null;
  /** Called before requests are prepared: renews the signing credential if it expires soon. */
  renew(signal: AbortSignal): Promise<void>;
}

/** State of one request that the modules of the server share while it is answered. */
import type { IncomingMessage } from "node:http";
import type { BodySource, RequestBody } from "../body/receive.ts";
import type { S3Error } from "../errors.ts";
import type { Route } from "../operations/route.ts";
import type { RequestHeaders } from "../request/headers.ts";
import type { Principal } from "../signature/authenticate.ts";

/** Facts about a request, collected while it is answered. */
export interface Story {
  accessKeyId: string | null;
  route: Route | null;
  error: S3Error | null;
  authenticationMs: number;
  hashMs: number;
}

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly requestId: string;
  readonly signal: () => AbortSignal;
  /** Called before the body is read. */
  readonly onBodyStart: () => void;
  /** Filled in as facts become known, so that failed requests are also counted under their names. */
  readonly story: Story;
}

/** A request whose sender and purpose are known. */
export interface OpenedRequest {
  readonly principal: Principal;
  /** The headers that operations read. */
  readonly headers: RequestHeaders;
  readonly found: Route;
  readonly createBody: (progress: BodyProgress) => RequestBody;
  /** Stops reading a body that was begun before the operation; does nothing after its end. */
  readonly abandon?: () => Promise<void>;
}

/** Load of this thread, and time spent hashing. */
export type BodyProgress = Pick<BodySource, "isBusy" | "onHashed">;

/** One request while it is answered, as the modules of the server pass it on. */
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
  /** Filled in as things become known, so that failed requests are counted under their names too. */
  readonly story: Story;
}

/** A request of which is known who sent it and what it asks for. */
export interface OpenedRequest {
  readonly principal: Principal;
  /** As the operation reads them. */
  readonly headers: RequestHeaders;
  readonly found: Route;
  readonly createBody: (progress: BodyProgress) => RequestBody;
  /** Stops reading a body that was begun before the operation; harmless after its end. */
  readonly abandon?: () => Promise<void>;
}

/** Load of this thread, and time spent hashing. */
export type BodyProgress = Pick<BodySource, "isBusy" | "onHashed">;

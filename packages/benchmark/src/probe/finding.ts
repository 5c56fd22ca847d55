/** Shared parts of the connection test. */

import type { EndpointCredentials, EndpointFinding } from "@stashlight/contracts/endpoint";
import type { Answer, Asker } from "../endpoint/asker.ts";
import type { Driver, RequestBody } from "../endpoint/driver.ts";
import type { EndpointTarget } from "../endpoint/target.ts";

export interface ProbeContext {
  readonly target: EndpointTarget;
  readonly credentials: EndpointCredentials;
  readonly driver: Driver;
  readonly asker: Asker;
  readonly runPrefix: string;
  readonly body: RequestBody;
  readonly signal: AbortSignal;
}

export function finding(capability: string, isSupported: boolean | null, evidence: string): EndpointFinding {
  return { capability, isSupported, evidence };
}

/** Formats an answer as evidence: status and code, and no other text of the server. */
export function describeAnswer({ failure, status }: Answer): string {
  if (failure === null) return String(status);
  return failure.kind === "answered" ? `${failure.status} ${failure.code}` : failure.code;
}

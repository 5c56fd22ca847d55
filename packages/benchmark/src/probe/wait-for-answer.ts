/** Waits until a store that may just be starting answers requests. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import { openDriver } from "../drivers/open.ts";
import { Asker } from "../endpoint/asker.ts";
import { EndpointError } from "../endpoint/explain-failure.ts";
import { type EndpointFailure, isTransient } from "../endpoint/failure.ts";
import { type EndpointTargetInput, endpointTargetSchema } from "../endpoint/target.ts";

export interface AwaitedEndpoint {
  readonly endpoint: EndpointTargetInput;
  readonly credentials: EndpointCredentials;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  readonly retryMs?: number;
}

const TIMEOUT_MS = 5_000;
const RETRY_MS = 500;

/** Resolves with true once the store answers, even by a refusal; with false if the wait ends first. */
export async function waitForAnswer(input: AwaitedEndpoint): Promise<boolean> {
  const { credentials, signal, retryMs = RETRY_MS } = input;
  const target = endpointTargetSchema.parse(input.endpoint);
  const driver = openDriver(target, credentials, Date.now);
  while (!signal.aborted) {
    const asker = new Asker({ target, driver, timeoutMs: TIMEOUT_MS, signal });
    try {
      const { failure } = await asker.ask((each) => each.describe());
      if (failure === null || !isStarting(failure)) return true;
      await sleep(retryMs, undefined, { signal });
    } catch (error) {
      // A run reports why a credential cannot be renewed.
      if (error instanceof EndpointError) return true;
      if (!signal.aborted) throw error;
    } finally {
      asker.close();
    }
  }
  return false;
}

const isStarting = (failure: EndpointFailure): boolean => failure.kind === "broken" || isTransient(failure);

/**
 * Removes everything below a run's prefix, all versions included, with one delete per request. Deletes what the store
 * lists, so it can be repeated until nothing is left, even after a crash of the run or of the clean-up.
 */

import type { EndpointCredentials } from "@stashlight/contracts/endpoint";
import { StashlightError } from "@stashlight/contracts/errors";
import { openDriver } from "../drivers/open.ts";
import { Asker, type AskerOptions } from "../endpoint/asker.ts";
import type { FoundObject } from "../endpoint/driver.ts";
import { EndpointError } from "../endpoint/explain-failure.ts";
import { type EndpointTarget, type EndpointTargetInput, endpointTargetSchema } from "../endpoint/target.ts";
import { isRunPrefix } from "../run/keys.ts";
import { LeftoverError } from "./leftover-error.ts";

export interface CleanUpInput {
  readonly endpoint: EndpointTargetInput;
  readonly credentials: EndpointCredentials;
  /** Run prefix, as in its manifest or created by `buildRunPrefix`. */
  readonly runPrefix: string;
  readonly signal?: AbortSignal;
  readonly onDeleted?: (deletedCount: number) => void;
}

export interface CleanUpResult {
  /** Number of objects, versions and markers. */
  readonly deletedCount: number;
}

const CONNECTION_COUNT = 8;
const TIMEOUT_MS = 30_000;
/** Refusals after which no further deletion is tried, because a run may have written ten thousand objects. */
const REFUSALS_MAX = 20;

/**
 * Resolves when nothing is left below the prefix. Rejects with a LeftoverError that counts the remaining objects and
 * gives the reason, or with an EndpointError if they cannot be listed; the caller can then try again.
 */
export async function cleanUp(input: CleanUpInput): Promise<CleanUpResult> {
  const { runPrefix, credentials, signal = new AbortController().signal } = input;
  if (!isRunPrefix(runPrefix)) {
    throw new StashlightError(
      "invalid_input",
      "Only what is below the prefix of one benchmark run is deleted.",
    );
  }
  const target: EndpointTarget = endpointTargetSchema.parse(input.endpoint);
  const driver = openDriver(target, credentials, Date.now);
  const options: AskerOptions = { target, driver, timeoutMs: TIMEOUT_MS, signal };
  const askers = Array.from({ length: CONNECTION_COUNT }, () => new Asker(options));
  const [first] = askers as [Asker];
  let deletedCount = 0;
  const refusals: EndpointError[] = [];
  const list = () => driver.listBelow(runPrefix, (make) => first.insist(make));
  try {
    for await (const page of list()) {
      const waiting = page.filter(({ key }) => key.startsWith(runPrefix));
      const deleteAll = async (asker: Asker): Promise<void> => {
        while (refusals.length < REFUSALS_MAX) {
          const next = waiting.pop();
          if (next === undefined) return;
          const refusal = await deleteOne(asker, next);
          if (refusal === null) {
            deletedCount += 1;
            input.onDeleted?.(deletedCount);
          } else refusals.push(refusal);
        }
      };
      await Promise.all(askers.map(deleteAll));
      if (refusals.length >= REFUSALS_MAX) break;
    }
    let leftCount = 0;
    for await (const page of list()) leftCount += page.length;
    if (leftCount > 0)
      throw new LeftoverError({ leftCount, runPrefix, target, refusal: refusals[0] ?? null });
    return { deletedCount };
  } finally {
    for (const asker of askers) asker.close();
  }
}

/** Returns a refusal, after which others may still be deleted; rejects if the endpoint gave no answer at all. */
async function deleteOne(asker: Asker, object: FoundObject): Promise<EndpointError | null> {
  try {
    await asker.insist((driver) => driver.delete(object));
    return null;
  } catch (error) {
    if (error instanceof EndpointError && error.failure.kind === "answered") return error;
    throw error;
  }
}

/**
 * Removes what a run wrote: all below its prefix, all versions, one delete a request. It starts from what is there, so
 * it can be repeated after a crash, of the run or its own, until nothing is left.
 */

import type { EndpointCredentials } from "@stashlight/contracts/benchmark/credentials";
import { StashlightError } from "@stashlight/contracts/errors";
import { openDriver } from "../drivers/open.ts";
import { Asker, type AskerOptions } from "../endpoint/asker.ts";
import type { Driver, FoundObject } from "../endpoint/driver.ts";
import { type EndpointTarget, type EndpointTargetInput, endpointTargetSchema } from "../endpoint/target.ts";
import { isRunPrefix } from "../run/keys.ts";

export interface CleanUpInput {
  readonly endpoint: EndpointTargetInput;
  readonly credentials: EndpointCredentials;
  /** The prefix of the run, as its manifest has it or `runPrefixOf` makes it. */
  readonly runPrefix: string;
  readonly signal?: AbortSignal;
  readonly onDeleted?: (deletedCount: number) => void;
}

export interface CleanUpResult {
  /** Objects, versions and markers. */
  readonly deletedCount: number;
  /** Nothing is below the prefix any more. */
  readonly isEmpty: boolean;
}

const CONNECTION_COUNT = 8;
const TIMEOUT_MS = 30_000;

/** Rejects with an EndpointError that explains itself; to be called again then. */
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
  try {
    for await (const page of driver.listBelow(runPrefix, (make) => first.insist(make))) {
      const waiting = page.filter(({ key }) => key.startsWith(runPrefix));
      await Promise.all(
        askers.map(async (asker) => {
          for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
            await deleteOne(asker, next);
            deletedCount += 1;
            input.onDeleted?.(deletedCount);
          }
        }),
      );
    }
    return { deletedCount, isEmpty: await isEmptyBelow(driver, first, runPrefix) };
  } finally {
    for (const asker of askers) asker.close();
  }
}

async function deleteOne(asker: Asker, object: FoundObject): Promise<void> {
  await asker.insist((driver) => driver.delete(object));
}

async function isEmptyBelow(driver: Driver, asker: Asker, runPrefix: string): Promise<boolean> {
  for await (const page of driver.listBelow(runPrefix, (make) => asker.insist(make)))
    if (page.length > 0) return false;
  return true;
}

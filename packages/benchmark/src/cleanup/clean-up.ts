/**
 * Removes what a run wrote: all below its prefix, all versions, one delete a request. It starts from what is there, so
 * it can be repeated after a crash, of the run or its own, until nothing is left.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import { Asker, type AskerOptions } from "../endpoint/asker.ts";
import {
  type EndpointCredentials,
  type EndpointTarget,
  type EndpointTargetInput,
  endpointTargetSchema,
} from "../endpoint/target.ts";
import { isRunPrefix } from "../run/keys.ts";
import { type FoundObject, listBelow } from "./list-below.ts";

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
  const options: AskerOptions = { target, credentials, timeoutMs: TIMEOUT_MS, signal, nowMs: Date.now };
  const askers = Array.from({ length: CONNECTION_COUNT }, () => new Asker(options));
  const [first] = askers as [Asker];
  let deletedCount = 0;
  try {
    for await (const page of listBelow(first, runPrefix)) {
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
    return { deletedCount, isEmpty: await isEmptyBelow(first, runPrefix) };
  } finally {
    for (const asker of askers) asker.close();
  }
}

async function deleteOne(asker: Asker, { key, versionId }: FoundObject): Promise<void> {
  await asker.insist({ method: "DELETE", key, ...(versionId === null ? {} : { query: { versionId } }) });
}

async function isEmptyBelow(asker: Asker, runPrefix: string): Promise<boolean> {
  for await (const page of listBelow(asker, runPrefix)) if (page.length > 0) return false;
  return true;
}

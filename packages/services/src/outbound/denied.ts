/** Finds the configured destinations in networks that no admin has allowed, for pages that list them. */
import { setTimeout as delay } from "node:timers/promises";
import type { DeniedDestination } from "@stashlight/contracts/alert";
import { findDenial, type Resolve } from "@stashlight/outbound";

interface Destination {
  readonly id: string;
  readonly name: string;
  readonly host: string;
}

/** Limited because each look-up takes a thread of the pool that file access also needs. */
export const LOOKUPS_AT_A_TIME = 2;
/** Leaves out destinations whose names are not resolved by then; sending to them reports the error. */
const LOOKUP_MS_MAX = 3000;

export async function findDenied(
  destinations: readonly Destination[],
  allowedCidrs: readonly string[],
  { resolve, patienceMs = LOOKUP_MS_MAX }: { resolve?: Resolve; patienceMs?: number } = {},
): Promise<DeniedDestination[]> {
  const found = new Map<string, DeniedDestination>();
  const left = [...destinations];
  const isOver = new AbortController();
  const work = async () => {
    for (let next = left.shift(); next !== undefined && !isOver.signal.aborted; next = left.shift()) {
      const denial = await findDenial(next.host, allowedCidrs, resolve);
      if (denial === null) continue;
      const { address, range } = denial;
      found.set(next.id, { id: next.id, name: next.name, address, network: range.cidr, kind: range.kind });
    }
  };
  const workers = Array.from({ length: LOOKUPS_AT_A_TIME }, () => work());
  const patience = delay(patienceMs, undefined, { signal: isOver.signal, ref: false });
  await Promise.race([Promise.all(workers), patience.catch(() => undefined)]);
  isOver.abort();
  return destinations.flatMap(({ id }) => found.get(id) ?? []);
}

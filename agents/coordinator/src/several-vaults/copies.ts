/**
 * Determines which vault's version of a key is current: that of the latest epoch. Within an epoch only one vault
 * accepts a key, so no two vaults have versions of it.
 */
import type { UploadHeader } from "@stashlight/write-path";
import { VaultError } from "../vault/errors.ts";
import type { Segment } from "./placement.ts";
import { epochOf } from "./stored-etag.ts";

/** A vault's answer: its version or null, or that the vault is unreachable. */
export type Answer<Found> =
  | { readonly type: "said"; readonly found: Found | null }
  | { readonly type: "unavailable"; readonly error: VaultError };

/** Vaults that may hold the key, ordered by their newest segments. */
export function vaultsOf(segments: readonly Segment[]): number[] {
  return [...new Set(segments.map(({ vault }) => vault))];
}

/** True if no other vault can hold a newer version of the key than this one. */
export function isOfPresentSegment(
  [present]: readonly Segment[],
  vault: number,
  version: Pick<UploadHeader, "etag">,
): boolean {
  return vault === present?.vault && epochOf(version) >= present.firstEpoch;
}

async function ask<Found>(look: () => Promise<Found | null>): Promise<Answer<Found>> {
  try {
    return { type: "said", found: await look() };
  } catch (error) {
    const mayHoldOne =
      error instanceof VaultError && (error.code === "unavailable" || error.code === "undecodable");
    if (mayHoldOne) return { type: "unavailable", error };
    throw error;
  }
}

/** Returns the newest version. Throws if an unreachable vault may hold a newer one. */
export function newestOf<Found>(
  segments: readonly Segment[],
  answers: ReadonlyMap<number, Answer<Found>>,
  versionOf: (found: Found) => Pick<UploadHeader, "etag">,
): { readonly vault: number; readonly found: Found } | null {
  let best: { readonly vault: number; readonly found: Found } | null = null;
  let bestEpoch = 0;
  for (const [vault, answer] of answers) {
    if (answer.type !== "said" || answer.found === null) continue;
    const epoch = epochOf(versionOf(answer.found));
    if (epoch <= bestEpoch) continue;
    best = { vault, found: answer.found };
    bestEpoch = epoch;
  }
  for (const [vault, answer] of answers) {
    if (answer.type !== "unavailable") continue;
    const mayHold = segments.find((segment) => segment.vault === vault);
    if (mayHold !== undefined && mayHold.lastEpoch > bestEpoch) throw answer.error;
  }
  return best;
}

/** Asks the vault that accepts the key in the current epoch, and the others only if needed. */
export async function findNewest<Found>(
  segments: readonly Segment[],
  lookIn: (vault: number) => Promise<Found | null>,
  versionOf: (found: Found) => Pick<UploadHeader, "etag">,
): Promise<{ readonly vault: number; readonly found: Found } | null> {
  const [home = 0, ...others] = vaultsOf(segments);
  const found = await lookIn(home);
  const isNewest = found !== null && isOfPresentSegment(segments, home, versionOf(found));
  if (isNewest || others.length === 0) return found === null ? null : { vault: home, found };
  const answers = new Map<number, Answer<Found>>([[home, { type: "said", found }]]);
  const asked = others.map(async (vault) => [vault, await ask(() => lookIn(vault))] as const);
  for (const [vault, answer] of await Promise.all(asked)) answers.set(vault, answer);
  return newestOf(segments, answers, versionOf);
}

/** Collects the answers of all vaults that may hold the key. */
export async function askAll<Found>(
  segments: readonly Segment[],
  lookIn: (vault: number) => Promise<Found | null>,
): Promise<Map<number, Answer<Found>>> {
  const asked = vaultsOf(segments).map(async (vault) => [vault, await ask(() => lookIn(vault))] as const);
  return new Map(await Promise.all(asked));
}

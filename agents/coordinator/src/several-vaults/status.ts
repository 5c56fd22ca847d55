/** The page `/vaults` of a coordinator, which describes the vaults behind its endpoint. */
import type { EndpointVaultState } from "@stashlight/contracts/metrics";
import type { VaultSession } from "../session.ts";
import type { EpochFollower } from "./epoch-follower.ts";
import { currentEpoch, EPOCH_COUNT_MAX } from "./epoch-ledger.ts";
import { keyIntake } from "./key-intake.ts";
import type { Leftovers } from "./leftovers.ts";
import type { Reach } from "./reach.ts";
import type { WriteGate } from "./write-gate.ts";

export interface SpreadStatus {
  readonly vaults: readonly {
    readonly name: string;
    readonly isReachable: boolean;
    readonly trouble: string | null;
    readonly freeBytes: number;
    readonly capacityBytes: number;
    /** Share of new keys that the vault gets. */
    readonly newKeysShare: number;
    /** Null until the ledger of epochs is known. */
    readonly state: EndpointVaultState | null;
  }[];
  /** Number of the current epoch. */
  readonly epochCount: number;
  /** Used share of the ledger's space for epochs. */
  readonly epochsShare: number;
  /** Coordinators of an earlier version, which prevent epochs from being merged. */
  readonly mergeWaitsFor: readonly string[];
  /** Coordinators that have not agreed to a proposed epoch. */
  readonly waitsFor: readonly string[];
  readonly leftoversWaiting: number;
}

export interface StatusSources {
  readonly sessions: readonly VaultSession[];
  readonly turns: WriteGate;
  readonly reach: Reach;
  readonly leftovers: Leftovers;
  readonly keeper: Pick<EpochFollower, "mergeWaitsFor">;
}

export function statusOf({ sessions, turns, reach, leftovers, keeper }: StatusSources): SpreadStatus {
  const { book } = turns;
  const weights = book === null ? [] : currentEpoch(book).weights;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const views = reach.views();
  const proposal = book?.proposal ?? null;
  const said = proposal?.agreedBy.length === 0 ? proposal.seenBy : (proposal?.agreedBy ?? []);
  const standing = (at: number) => {
    const known = { isReachable: views[at]?.isReachable ?? false, trouble: reach.troubleOf(at) };
    return { ...known, state: keyIntake(book, at, known) };
  };
  return {
    vaults: sessions.map(({ file }, at) => ({
      ...standing(at),
      name: file.name,
      freeBytes: views[at]?.freeBytes ?? 0,
      capacityBytes: views[at]?.capacityBytes ?? 0,
      newKeysShare: total === 0 ? 0 : (weights[at] ?? 0) / total,
    })),
    epochCount: book === null ? 0 : currentEpoch(book).number,
    epochsShare: (book?.epochs.length ?? 0) / EPOCH_COUNT_MAX,
    mergeWaitsFor: keeper.mergeWaitsFor,
    waitsFor: proposal === null ? [] : (book?.coordinatorIds.filter((id) => !said.includes(id)) ?? []),
    leftoversWaiting: leftovers.waitingCount,
  };
}

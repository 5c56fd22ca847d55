/**
 * Several vaults behind one endpoint: assembles the parts and keeps them running.
 *
 *   placement.ts which vault takes a key, by the weights of an epoch
 *   epoch-ledger.ts the epochs, and how coordinators agree on another
 *   epoch-merging.ts merges epochs that need not be distinguished
 *   desired-weights.ts when another epoch is wanted
 *   epoch-follower.ts follows and changes the ledger
 *   write-gate.ts holds writes back while an epoch begins
 *   spread-vault.ts the vaults as one
 *   leftovers.ts deletes outdated versions in other vaults
 *   membership.ts which vaults belong together
 *   member-vault.ts leaves vaults alone that have not joined
 */
import { setTimeout as delay } from "node:timers/promises";
import { monotonicNowMs } from "@stashlight/node-runtime";
import { S3Error } from "@stashlight/s3";
import type { Logger } from "pino";
import type { Endpoint } from "../endpoint.ts";
import type { Owner } from "../records/pieces.ts";
import type { VaultSession } from "../session.ts";
import { addSpaces } from "../space/store-space.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { BucketMarkers } from "./bucket-markers.ts";
import { CombinedFreeSpace } from "./combined-free-space.ts";
import { EpochFollower } from "./epoch-follower.ts";
import { hasTakenKeys } from "./epoch-ledger.ts";
import { Leftovers } from "./leftovers.ts";
import { localCopy } from "./local-copy.ts";
import { memberVault } from "./member-vault.ts";
import { followSpread } from "./metrics.ts";
import { promptVault } from "./prompt-vault.ts";
import { Reach } from "./reach.ts";
import { spreadVault } from "./spread-vault.ts";
import { statusOf } from "./status.ts";
import { spreadTiming } from "./timing.ts";
import { newIdIn, vaultOfId } from "./vault-ids.ts";
import { WriteGate } from "./write-gate.ts";

export async function startSpread(sessions: readonly VaultSession[], logger: Logger): Promise<Endpoint> {
  const [first] = sessions as [VaultSession];
  const timing = spreadTiming(first.file.spread);
  const members = sessions.map(({ file }) => ({ id: file.clusterId, name: file.name }));
  const turns = new WriteGate({ patienceMs: timing.patienceMs });
  const reach = new Reach({ sessions, members, nowMs: monotonicNowMs });
  const isMember = (index: number): boolean =>
    index === 0 || reach.hasJoined(index) || hasTakenKeys(turns.book, index);
  const isRefused = (index: number): boolean => !isMember(index) && reach.troubleOf(index) !== null;
  const vaults = sessions.map(({ vault }, index) => memberVault(promptVault(vault), () => isMember(index)));
  const markers = new BucketMarkers(vaults, isMember);
  const isBusy = (): boolean => first.gate.waitingCount > 0;
  const leftovers = new Leftovers({ ...timing, vaults, turns, markers, nowMs: Date.now, isBusy });
  const keeper = new EpochFollower({
    first: vaults[0] as VaultVerbs,
    vaults: members,
    coordinatorId: first.node.id,
    coordinatorIds: () => first.coordinatorIds(),
    turns,
    views: () => reach.views(),
    isRefused,
    timing,
    copy: localCopy(first.node.stateFolder),
    logger,
    wallMs: Date.now,
    nowMs: monotonicNowMs,
    wait: delay,
  });
  const passOver = (vault: number): Promise<boolean> => keeper.passOver(vault);
  const mayBeTakenOver = (vault: number | null): boolean =>
    reach.views().some(({ isReachable }, at) => at !== vault && isReachable && !isRefused(at));
  const mayHaveLeftovers = leftovers.add.bind(leftovers);
  const shared = { turns, passOver, mayBeTakenOver };
  const clock = { nowMs: monotonicNowMs, wait: delay };
  const verbs = spreadVault({ ...shared, ...clock, vaults, markers, mayHaveLeftovers });
  const trouble = (): string | null => keeper.trouble ?? reach.troubleOf(0) ?? unread(turns);
  const status = () => statusOf({ sessions, turns, reach, leftovers, keeper });
  const ownVaults = sessions.map(({ vault }) => vault);
  const { keyring } = first;
  for (const session of sessions)
    session.serve({ verbs, keyring, lostVaults: ownVaults, trouble, vaults: status });
  followSpread(sessions, status);
  await keeper.start();
  const stopTurns = run(logger, timing.turnEveryMs, [
    () => reach.turn(),
    () => keeper.turn(),
    () => leftovers.turn(),
  ]);
  return {
    sessions,
    first,
    verbs,
    room: new CombinedFreeSpace({ ...shared, vaults: ownVaults, isRefused }),
    findSpace: () =>
      addSpaces(sessions.flatMap((session, index) => (isRefused(index) ? [] : session.measureSpace()))),
    newId: (owner) => newIdFor(owner, turns),
    get isChecked() {
      return trouble() === null;
    },
    check: async () => {
      const why = trouble();
      if (why !== null) throw new S3Error("SlowDown", undefined, { cause: new Error(why) });
    },
    stop: async () => {
      stopTurns();
      await Promise.all(sessions.map((session) => session.stop()));
    },
  };
}

/** Parts of a multipart upload are in the vault of its id, and other bodies in the one that takes their key. */
function newIdFor({ bucket, key, uploadId }: Owner, turns: WriteGate): string {
  return newIdIn(
    uploadId === undefined ? (turns.segments({ bucket, key })[0]?.vault ?? 0) : vaultOfId(uploadId),
  );
}

const unread = ({ book }: WriteGate): string | null =>
  book === null ? "The coordinator waits for the ledger of epochs, which is in the first vault." : null;

/** Runs each job periodically, one call at a time. Readiness reports a vault that does not answer. */
function run(logger: Logger, everyMs: number, works: readonly (() => Promise<void>)[]): () => void {
  const timers = works.map((work) => {
    let isWorking = false;
    return setInterval(async () => {
      if (isWorking) return;
      isWorking = true;
      try {
        await work();
      } catch (error) {
        if (!(error instanceof VaultError))
          logger.error({ err: error }, "the vaults behind this endpoint are not in order");
      } finally {
        isWorking = false;
      }
    }, everyMs);
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

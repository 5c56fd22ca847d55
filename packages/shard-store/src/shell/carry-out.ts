/**
 * Carries out every effect of every machine. An effect without a case here does not compile; a case that does nothing,
 * or acts too early, is a mutant of the simulation, which runs this code.
 */
import type {
  Address,
  CoordinatorEffect,
  GetOutcome,
  ListOutcome,
  LogEffect,
  Message,
  Outcome,
  PodEffect,
  PutOutcome,
  Refusal,
  Shard,
  SpaceClass,
  StashEffect,
  UploadId,
  VersionOrder,
} from "@stashlight/write-path";

/** Effects that every machine may request. */
export interface MachineHands {
  send(to: Address, message: Message): void;
  /** Delivers the event `timer` after this delay; replaces a pending timer with the same key. */
  setTimer(key: string, delayMs: number): void;
}

/** Storage for a stash device's records. It answers later, through the answers that its boot was given. */
export interface StashLog<Place> {
  append(shard: Shard, room: SpaceClass): void;
  kill(position: Place): void;
  load(loadId: number, position: Place): void;
}

export interface PodLog<Place> extends StashLog<Place> {
  flush(): void;
  /** Records an outcome, which the next boot may or may not find. */
  remember(position: Place, outcome: Outcome): void;
  persistRefusal(refusal: Refusal): void;
  forgetRefusal(uploadId: UploadId): void;
  persistHorizon(horizon: VersionOrder): void;
}

/** Ends this boot of the machine; another begins by recovery. */
export type HaltBoot = (reason: string) => void;

/** Delivers each answer of the coordinator to the client whose request has the same token. */
export interface CoordinatorClients {
  put(token: number, outcome: PutOutcome): void;
  get(token: number, outcome: GetOutcome): void;
  list(token: number, outcome: ListOutcome): void;
}

/** Reconstructs shards, and delivers the event `reconstructed`. */
export type Reconstruct = (uploadId: UploadId, shards: readonly Shard[], missing: readonly number[]) => void;

export function carryOutOfPod<Place>(
  effect: PodEffect<Place>,
  hands: MachineHands,
  log: PodLog<Place>,
  halt: HaltBoot,
): void {
  switch (effect.type) {
    case "flush":
      log.flush();
      return;
    case "remember":
      log.remember(effect.position, effect.outcome);
      return;
    case "persistRefusal":
      log.persistRefusal(effect.refusal);
      return;
    case "forgetRefusal":
      log.forgetRefusal(effect.uploadId);
      return;
    case "persistHorizon":
      log.persistHorizon(effect.horizon);
      return;
    default:
      carryOutOfStash(effect, hands, log, halt);
  }
}

export function carryOutOfStash<Place>(
  effect: StashEffect<Place>,
  hands: MachineHands,
  log: StashLog<Place>,
  halt: HaltBoot,
): void {
  switch (effect.type) {
    case "send":
      hands.send(effect.to, effect.message);
      return;
    case "setTimer":
      hands.setTimer(effect.key, effect.delayMs);
      return;
    case "halt":
      halt(effect.reason);
      return;
    default:
      carryOutOnLog(effect, log);
  }
}

function carryOutOnLog<Place>(effect: LogEffect<Place>, log: StashLog<Place>): void {
  switch (effect.type) {
    case "append":
      log.append(effect.shard, effect.room);
      return;
    case "kill":
      log.kill(effect.position);
      return;
    case "load":
      log.load(effect.loadId, effect.position);
      return;
    default:
      effect satisfies never;
  }
}

export function carryOutOfCoordinator(
  effect: CoordinatorEffect,
  hands: MachineHands,
  clients: CoordinatorClients,
  reconstruct: Reconstruct,
): void {
  switch (effect.type) {
    case "send":
      hands.send(effect.to, effect.message);
      return;
    case "setTimer":
      hands.setTimer(effect.key, effect.delayMs);
      return;
    case "answerPut":
      clients.put(effect.token, effect.outcome);
      return;
    case "answerGet":
      clients.get(effect.token, effect.outcome);
      return;
    case "answerList":
      clients.list(effect.token, effect.outcome);
      return;
    case "reconstruct":
      reconstruct(effect.uploadId, effect.shards, effect.missing);
      return;
    default:
      effect satisfies never;
  }
}

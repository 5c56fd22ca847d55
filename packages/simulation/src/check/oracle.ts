/**
 * Judges the guarantees by the contents of the media and never by the replies of nodes. Media notify it of every record
 * that becomes durable or disappears, and it compares that with the nodes' promises.
 */
import {
  objectNameOf,
  type Quorums,
  quorumsOf,
  type Scheme,
  type Shard,
  type UploadHeader,
  type UploadId,
} from "@stashlight/write-path";
import { countDurable, createFacts, isPromised, judgeWhole, type UploadFacts } from "./upload-facts.ts";

export interface Violation {
  readonly property:
    | "S1"
    | "S2"
    | "S3"
    | "S4"
    | "S5"
    | "S6"
    | "S7"
    | "linearizability"
    | "liveness"
    | "accounting";
  readonly sentence: string;
}

export class Oracle {
  readonly #quorums: Quorums;
  readonly #facts = new Map<UploadId, UploadFacts>();
  /**
   * Uploads that m + 1 pods have promised never to take, or that were announced as dead earlier, so that no node
   * needs their shards. The value records whether clients had been promised the upload.
   */
  readonly #proved = new Map<UploadId, boolean>();
  /** Uploads that were declared dead with proof, which is final. */
  readonly #dead = new Set<UploadId>();
  readonly #lostNames = new Set<string>();
  /** Highest version order of each key that must not be lost; lower versions are superseded. */
  readonly #tops = new Map<string, string>();
  readonly #report: (violation: Violation) => void;
  /** Shards have rotted on more drives than an acknowledged upload tolerates. */
  #isBeyondBudget = false;

  constructor(scheme: Scheme, report: (violation: Violation) => void) {
    this.#quorums = quorumsOf(scheme);
    this.#report = report;
  }

  #of(upload: UploadHeader): UploadFacts {
    const known = this.#facts.get(upload.uploadId);
    if (known) return known;
    const facts = createFacts(upload, this.#quorums.shardCount);
    this.#facts.set(upload.uploadId, facts);
    return facts;
  }

  durable(place: "pod" | "stash", { upload, shardIndex }: Shard): void {
    const facts = this.#of(upload);
    const copies = place === "pod" ? facts.onPod : facts.onStash;
    copies[shardIndex] = (copies[shardIndex] ?? 0) + 1;
    judgeWhole(facts);
  }

  lied({ upload, shardIndex }: Shard): void {
    const facts = this.#of(upload);
    facts.excused[shardIndex] = 1;
    judgeWhole(facts);
  }

  /** The shard was durable by chance and has disappeared, without a drive failure. */
  retracted(place: "pod" | "stash", uploadId: UploadId, shardIndex: number): void {
    const facts = this.#facts.get(uploadId);
    if (!facts) return;
    this.#take(place, facts, shardIndex);
    this.#judgeDurability(facts);
  }

  lost(place: "pod" | "stash", uploadId: UploadId, shardIndex: number): void {
    const facts = this.#facts.get(uploadId);
    if (!facts) return;
    facts.excused[shardIndex] = 1;
    this.#take(place, facts, shardIndex);
    this.#judgeDurability(facts);
  }

  /** A node reported the shard as durable. A shard flushed before it reached the stash counts as kept there. */
  claimed(place: "pod" | "stash", uploadId: UploadId, shardIndex: number): void {
    const facts = this.#facts.get(uploadId);
    if (this.#proved.has(uploadId) || (facts && this.#isSuperseded(facts))) return;
    const isOnPod = (facts?.onPod[shardIndex] ?? 0) > 0;
    const isOnStash = place === "stash" && (facts?.onStash[shardIndex] ?? 0) > 0;
    if (isOnPod || isOnStash || facts?.excused[shardIndex]) return;
    const sentence = `Shard ${shardIndex} of upload ${uploadId} was called durable on its ${place}, and is not.`;
    this.#report({ property: "S4", sentence });
  }

  killed(place: "pod" | "stash", uploadId: UploadId, shardIndex: number, wasDurable: boolean): void {
    const facts = this.#facts.get(uploadId);
    if (!facts) return;
    if (wasDurable) this.#take(place, facts, shardIndex);
    // A pod drops a record that it finds rotten, and fetches another copy from its peers.
    const isRotten = !wasDurable && facts.excused[shardIndex] === 1;
    this.#judgeKill(place, facts, shardIndex, isRotten);
  }

  #take(place: "pod" | "stash", facts: UploadFacts, shardIndex: number): void {
    const copies = place === "pod" ? facts.onPod : facts.onStash;
    copies[shardIndex] = (copies[shardIndex] ?? 0) - 1;
    if ((copies[shardIndex] ?? 0) >= 0) return;
    const sentence = `More copies of shard ${shardIndex} of upload ${facts.upload.uploadId} are gone than there were.`;
    this.#report({ property: "accounting", sentence });
  }

  #judgeKill(place: "pod" | "stash", facts: UploadFacts, shardIndex: number, isRotten: boolean): void {
    const { uploadId } = facts.upload;
    if (this.#proved.has(uploadId) || this.#isSuperseded(facts)) return;
    if (place === "stash" && (facts.onPod[shardIndex] ?? 0) === 0 && !facts.excused[shardIndex]) {
      const sentence = `Shard ${shardIndex} of upload ${uploadId} was purged from the stash and is not durable on its pod.`;
      this.#report({ property: "S3", sentence });
    } else if (place === "pod" && facts.upload.kind === "tombstone" && facts.hasBeenWhole) {
      if (!isRotten) this.#judgeForgetting(facts);
    } else if (place === "pod" && isPromised(facts) && !facts.excused[shardIndex]) {
      const sentence = `Pod ${shardIndex} dropped its shard of upload ${uploadId}, which is neither superseded nor dead.`;
      this.#report({ property: "S3", sentence });
    }
    this.#judgeDurability(facts);
  }

  /** A tombstone may go once no pod holds a version below it, except on drives proved to lose data. */
  #judgeForgetting(tombstone: UploadFacts): void {
    tombstone.isForgotten = true;
    const { upload } = tombstone;
    for (const facts of this.#facts.values()) {
      const isBelow =
        objectNameOf(facts.upload) === objectNameOf(upload) && facts.upload.order < upload.order;
      const holder = isBelow ? facts.onPod.findIndex((count, i) => count > 0 && !tombstone.excused[i]) : -1;
      if (holder === -1) continue;
      const sentence = `Deletion ${upload.uploadId} was forgotten while pod ${holder} holds upload ${facts.upload.uploadId} below it.`;
      this.#report({ property: "S7", sentence });
      return;
    }
  }

  #isSuperseded({ upload, isForgotten }: UploadFacts): boolean {
    return isForgotten || this.#isBelowTop(upload);
  }

  #isBelowTop(upload: UploadHeader): boolean {
    const top = this.#tops.get(objectNameOf(upload));
    return top !== undefined && top > upload.order;
  }

  /**
   * S1: an acknowledged upload has q durable shards, minus those that media have lost since, and never fewer than k.
   */
  #judgeDurability(facts: UploadFacts): void {
    if (!facts.isAcknowledged || this.#isSuperseded(facts)) return;
    const { durable, excused } = countDurable(facts);
    const { acknowledge, decode } = this.#quorums;
    const isEnough = durable >= decode || this.#isBeyondBudget;
    if (durable + excused >= acknowledge && isEnough) return;
    const sentence = `Upload ${facts.upload.uploadId} was acknowledged and has ${durable} durable shards, with ${excused} lost by media; ${acknowledge} less those, and at least ${decode}, were promised.`;
    this.#report({ property: "S1", sentence });
  }

  judgeAllDurability(): void {
    for (const facts of this.#facts.values()) this.#judgeDurability(facts);
  }

  acknowledged(upload: UploadHeader): void {
    const facts = this.#of(upload);
    facts.isAcknowledged = true;
    const { durable, excused } = countDurable(facts);
    // A medium may lose a shard between its sync and the answer to the client.
    if (durable + excused < this.#quorums.acknowledge && !this.#isSuperseded(facts)) {
      const sentence = `Upload ${upload.uploadId} was acknowledged with ${durable} durable shards instead of ${this.#quorums.acknowledge}.`;
      this.#report({ property: "S4", sentence });
    }
    if (this.#dead.has(facts.upload.uploadId)) {
      this.#report({
        property: "S7",
        sentence: `Upload ${upload.uploadId} was acknowledged after it was declared dead.`,
      });
    }
    this.#raise(upload);
  }

  /** Records that a client has seen the upload. Versions below it must still be kept until it is committed. */
  shown(uploadId: UploadId): void {
    const facts = this.#facts.get(uploadId);
    if (facts) facts.isShown = true;
  }

  committed(uploadId: UploadId): void {
    const facts = this.#facts.get(uploadId);
    if (!facts || facts.isCommitted) return;
    facts.isCommitted = true;
    if (this.#dead.has(facts.upload.uploadId) && !facts.isForgotten) {
      this.#report({
        property: "S7",
        sentence: `Upload ${uploadId} was called committed after it was declared dead.`,
      });
    }
    const { durable, excused } = countDurable(facts);
    // Pods drop older versions, which may have been acknowledged, so the upload must survive the loss of as many
    // drives.
    if (durable + excused < this.#quorums.acknowledge && !this.#isSuperseded(facts)) {
      const sentence = `Upload ${uploadId} was called committed with fewer than ${this.#quorums.acknowledge} durable shards.`;
      this.#report({ property: "S4", sentence });
    }
    this.#raise(facts.upload);
  }

  /**
   * Records that pods are asked to drop the upload and to promise never to take it, so that its outcome survives lost
   * drives. Media losses are judged now, because pods drop the remaining shards.
   */
  provedDead(uploadId: UploadId): void {
    if (this.#proved.has(uploadId)) return;
    const facts = this.#facts.get(uploadId);
    this.#proved.set(uploadId, facts !== undefined && isPromised(facts));
    if (!facts) return;
    if (this.#isLostByMedia(facts)) this.#lostNames.add(objectNameOf(facts.upload));
    else if (isPromised(facts)) this.#judgeDeath(facts);
  }

  dead(uploadId: UploadId): void {
    this.provedDead(uploadId);
    const facts = this.#facts.get(uploadId);
    // Pods drop a deletion that was on all pods and has since been forgotten like a dead one, although it happened.
    const hasHappened = facts?.upload.kind === "tombstone" && facts.hasBeenWhole;
    if (this.#dead.has(uploadId)) return;
    if (!hasHappened) this.#dead.add(uploadId);
    if (facts && isPromised(facts) && !this.#proved.get(uploadId)) this.#judgeDeath(facts);
  }

  #judgeDeath(facts: UploadFacts): void {
    if (this.#isSuperseded(facts)) return;
    if (facts.upload.kind === "tombstone" && facts.hasBeenWhole) {
      this.#judgeForgetting(facts);
      return;
    }
    const sentence = `Upload ${facts.upload.uploadId} was declared dead after it was acknowledged or shown.`;
    this.#report({ property: "S1", sentence });
  }

  /**
   * The upload was shown by the k reachable pods, never acknowledged, and then lost by their media, because it had no
   * spare shard. Within the fault budget, acknowledged uploads have no such excuse.
   */
  #isLostByMedia(facts: UploadFacts): boolean {
    return isPromised(facts) && this.#mayHaveBeenWhole(facts);
  }

  /**
   * The upload was never acknowledged, and was durable on k pods before media lost some shards. Its outcome may stay
   * unknown forever: damaged shards are evidence of an upload that may have been acknowledged.
   */
  #mayHaveBeenWhole(facts: UploadFacts): boolean {
    const { durable, excused } = countDurable(facts);
    const { decode } = this.#quorums;
    return !facts.isAcknowledged && durable < decode && durable + excused >= decode;
  }

  /** Returns true if media have lost a version of these objects that was shown, so that no order explains the reads. */
  hasLostShownVersion(objectName: string): boolean {
    if (this.#lostNames.has(objectName)) return true;
    return [...this.#facts.values()].some(
      (facts) => objectNameOf(facts.upload) === objectName && this.#isLostByMedia(facts),
    );
  }

  /**
   * Allows shards to rot on any number of drives from now on. Acknowledged uploads may then be unreadable, but never
   * absent.
   */
  exceedBudget(): void {
    this.#isBeyondBudget = true;
  }

  /**
   * Returns true if the upload cannot be recovered. Pods that know of it keep asking until its key has another
   * version.
   */
  isLost(uploadId: UploadId): boolean {
    const facts = this.#facts.get(uploadId);
    return facts !== undefined && (this.#mayHaveBeenWhole(facts) || this.#isBeyondRepair(facts));
  }

  /**
   * The upload is lost, or below a lost version: pods admit nothing below a version that may have been acknowledged
   * until that version is restored, deleted or abandoned.
   */
  waitsForLost(uploadId: UploadId): boolean {
    const facts = this.#facts.get(uploadId);
    if (facts === undefined) return false;
    if (this.isLost(uploadId)) return true;
    const objectName = objectNameOf(facts.upload);
    return [...this.#facts.values()].some(
      ({ upload }) =>
        upload.order > facts.upload.order &&
        objectNameOf(upload) === objectName &&
        this.isLost(upload.uploadId),
    );
  }

  #isBeyondRepair(facts: UploadFacts): boolean {
    return this.#isBeyondBudget && countDurable(facts).durable < this.#quorums.decode;
  }

  /** Returns true if the drive's medium holds this shard intact, even if reads of it fail or are garbled. */
  isOnPod(uploadId: UploadId, podIndex: number): boolean {
    return (this.#facts.get(uploadId)?.onPod[podIndex] ?? 0) > 0;
  }

  superseded(upload: UploadHeader, by: string): void {
    if (this.#tops.get(objectNameOf(upload)) === by || this.#isBelowTop(upload)) return;
    const sentence = `Upload ${upload.uploadId} was called superseded by a version that was never committed.`;
    this.#report({ property: "S4", sentence });
  }

  /** Returns true if a higher version is committed or acknowledged, so that no read returns this one. */
  isOvertaken(upload: UploadHeader): boolean {
    return this.#isBelowTop(upload);
  }

  /** Returns true if at least one medium has held a shard of the upload. */
  isKnown(uploadId: UploadId): boolean {
    return this.#facts.has(uploadId);
  }

  /** Returns the deletion if a pod has dropped it as no longer needed; otherwise null. */
  forgottenDeletion(uploadId: UploadId): UploadHeader | null {
    const facts = this.#facts.get(uploadId);
    return facts?.isForgotten ? facts.upload : null;
  }

  isDead(uploadId: UploadId): boolean {
    return this.#dead.has(uploadId);
  }

  #raise(upload: UploadHeader): void {
    const name = objectNameOf(upload);
    const top = this.#tops.get(name);
    if (top === undefined || upload.order > top) this.#tops.set(name, upload.order);
  }

  /** Uploads that must be on every pod once all faults are healed: the top version of each key. */
  mustBeWhole(): { upload: UploadHeader; missing: number[] }[] {
    const result = [];
    for (const facts of this.#facts.values()) {
      if (!isPromised(facts) || this.#dead.has(facts.upload.uploadId) || this.#isSuperseded(facts)) continue;
      if (this.#isLostByMedia(facts) || this.#isBeyondRepair(facts)) continue;
      const missing = [...facts.onPod].flatMap((copies, i) => (copies === 0 ? [i] : []));
      result.push({ upload: facts.upload, missing });
    }
    return result;
  }
}

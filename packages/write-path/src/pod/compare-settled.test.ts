import { expect, test } from "vitest";
import type { LoggedShard, PodEvent } from "../effects.ts";
import type { UploadHeader } from "../shard.ts";
import {
  countTo,
  digestsOf,
  finishReplay,
  identityOf,
  indexPageOf,
  shardOf,
  uploadOf,
  vaultOf,
} from "../testing/index.ts";
import { LOWEST_ORDER, lowestOrderAt } from "../version-order.ts";
import type { EntryView } from "./entry.ts";
import { PackedEntries } from "./settled/packed-entries.ts";
import { createPod, type PodState } from "./state.ts";
import { stepPod } from "./step.ts";

/** Counts the entries that are read in the order of their arrival. */
class CountedEntries extends PackedEntries {
  readCount = 0;

  override atArrival(arrival: number): EntryView<number> {
    this.readCount += 1;
    return super.atArrival(arrival);
  }
}

const uploadsOf = (count: number): UploadHeader[] =>
  countTo(count).map((number) => uploadOf(number + 1, { key: `${number}`, order: lowestOrderAt(1000) }));

/** A pod that compares itself with its peers, and whose uploads have all settled. */
class ComparingPod {
  readonly settled = new CountedEntries();
  readonly state: PodState<number> = createPod<number>(vaultOf(), 0, this.settled);
  readonly nowMs = 0;

  constructor(uploads: readonly UploadHeader[]) {
    const shards = uploads.map((upload, position): LoggedShard<number> => {
      const { shardIndex, payloadCrc } = shardOf(upload, 0);
      return { upload, shardIndex, payloadCrc, position, outcome: "complete" };
    });
    const identity = identityOf(0);
    this.take({ type: "recovered", identity, shards, refusals: [], horizon: LOWEST_ORDER });
    finishReplay(this as never);
    while (this.state.entries.touched.length > 0) this.take({ type: "timer", key: "purge" });
    expect(this.settled.count).toBe(uploads.length);
  }

  take(event: PodEvent<number>) {
    return stepPod(this.state, event, this.nowMs);
  }

  hear(from: "p1", message: Extract<PodEvent<number>, { type: "message" }>["message"]) {
    return this.take({ type: "message", from, message });
  }

  /** Lets a peer name these uploads; returns how many entries each step has read. */
  compareWith(uploads: readonly UploadHeader[]): number[] {
    const reads: number[] = [];
    const counted = (step: () => ReturnType<ComparingPod["take"]>): ReturnType<ComparingPod["take"]> => {
      const before = this.settled.readCount;
      const effects = step();
      reads.push(this.settled.readCount - before);
      return effects;
    };
    counted(() => this.hear("p1", digestsOf(1, uploads)));
    const page = { ...indexPageOf(1, uploads), horizon: lowestOrderAt(2000) };
    let effects = counted(() => this.hear("p1", page));
    for (let timer = effects.find(isDoubtTimer); timer !== undefined; timer = effects.find(isDoubtTimer)) {
      expect(this.state.comparisons.get(1)?.isDone).toBe(false);
      // A page that comes again and a question that is repeated change nothing meanwhile.
      expect(this.hear("p1", { ...page, after: page.next })).toEqual([]);
      const { key } = timer as Extract<typeof timer, { type: "setTimer" }>;
      effects = counted(() => this.take({ type: "timer", key }));
    }
    expect(this.state.comparisons.get(1)?.isDone).toBe(true);
    return reads;
  }

  doubted(): string[] {
    return [...this.state.unresolved.keys()].sort();
  }
}

const isDoubtTimer = (effect: { type: string; key?: string }): boolean =>
  effect.type === "setTimer" && effect.key === "doubt:1";

test("a comparison reads only the settled entries that the peer lacks", () => {
  const uploads = uploadsOf(5000);
  const pod = new ComparingPod(uploads);
  const lacking = [uploads[7], uploads[4000], uploads[4999]] as UploadHeader[];
  const reads = pod.compareWith(uploads.filter((upload) => !lacking.includes(upload)));
  expect(reads.reduce((sum, count) => sum + count)).toBe(3);
  expect(pod.doubted()).toEqual(lacking.map(({ uploadId }) => uploadId).sort());
});

test("no step of a comparison reads more than 512 entries, and all that the peer lacks are doubted in the end", () => {
  const uploads = uploadsOf(2000);
  const pod = new ComparingPod(uploads);
  const reads = pod.compareWith([]);
  expect(Math.max(...reads)).toBe(512);
  expect(reads.reduce((sum, count) => sum + count)).toBe(2000);
  expect(pod.doubted()).toEqual(uploads.map(({ uploadId }) => uploadId).sort());
});

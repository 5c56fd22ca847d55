import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commonPrefix } from "../common-prefix.ts";
import type { CoordinatorEffect, ListOutcome, LoggedShard, PodEffect, PodEvent } from "../effects.ts";
import { compareKeys } from "../key-order.ts";
import { type Address, type Message, podAddress } from "../messages/index.ts";
import { PackedEntries } from "../pod/settled/packed-entries.ts";
import { createPod, type PodState } from "../pod/state.ts";
import { stepPod } from "../pod/step.ts";
import {
  compareWith,
  countTo,
  finishReplay,
  greetedCoordinator,
  identityOf,
  shardOf,
  uploadOf,
  vaultOf,
} from "../testing/index.ts";
import { LOWEST_ORDER } from "../version-order.ts";

const PODS = countTo(3);

/** A version of a key; a stray one was never acknowledged, and one pod holds a shard of it. */
interface Version {
  readonly key: string;
  readonly kind: "object" | "tombstone";
  readonly isStray: boolean;
  /** The pod that has missed it, or that alone holds the stray one; 3 for none. */
  readonly pod: number;
}

interface Range {
  readonly prefix: string;
  readonly after: string;
  readonly delimiter: string;
  readonly keyCountMax: number;
}

class PodInTest {
  readonly state: PodState<number>;
  readonly nowMs = 0;

  constructor(podIndex: number, shards: readonly LoggedShard<number>[]) {
    this.state = createPod<number>(
      vaultOf(),
      podIndex,
      new PackedEntries(new PageMemory({ heldPagesMax: 3, file: new ArrayFile() }), 400),
    );
    this.take({
      type: "recovered",
      identity: identityOf(podIndex),
      shards,
      refusals: [],
      horizon: LOWEST_ORDER,
    });
    finishReplay(this as never);
    for (const peer of PODS) if (peer !== podIndex) compareWith(this as never, peer);
    expect(this.state.lifecycle).toBe("settled");
  }

  take(event: PodEvent<number>): PodEffect<number>[] {
    return stepPod(this.state, event, this.nowMs);
  }

  hear(from: Address, message: Message): PodEffect<number>[] {
    return this.take({ type: "message", from, message });
  }
}

class VaultInTest {
  readonly #coordinator = greetedCoordinator();
  readonly #pods: readonly PodInTest[];
  /** Pods of the earlier version, which never see a delimiter. */
  readonly #older: ReadonlySet<number>;
  readonly #timers = new Set<string>();
  #outcome: ListOutcome | null = null;

  constructor(versions: readonly Version[], older: readonly number[]) {
    this.#older = new Set(older);
    this.#pods = PODS.map((podIndex) => new PodInTest(podIndex, shardsOn(podIndex, versions)));
  }

  list(range: Range): Extract<ListOutcome, { type: "listed" }> {
    this.#outcome = null;
    this.#carryOut(this.#coordinator.take({ type: "list", token: 1, bucket: "photos", ...range }));
    while (this.#outcome === null) this.#passHalfSecond();
    const outcome = this.#outcome as ListOutcome;
    if (outcome.type !== "listed") throw new Error("The list was abandoned.");
    return outcome;
  }

  #passHalfSecond(): void {
    this.#coordinator.nowMs += 500;
    const keys = [...this.#timers];
    this.#timers.clear();
    for (const key of keys) this.#carryOut(this.#coordinator.take({ type: "timer", key }));
  }

  #carryOut(effects: readonly CoordinatorEffect[]): void {
    for (const effect of effects) {
      if (effect.type === "setTimer") this.#timers.add(effect.key);
      else if (effect.type === "answerList") this.#outcome = effect.outcome;
      else if (effect.type === "send" && effect.to.startsWith("p"))
        this.#deliver(Number(effect.to.slice(1)), effect.message);
      else if (effect.type === "send" && effect.message.type === "stash.probe") {
        const { requestId } = effect.message;
        const nothing = { shardIndices: [], damagedIndices: [] };
        const deviceId = Number(effect.to.slice(1));
        const answer = { type: "coordinator.stashProbed", requestId, deviceId, ...nothing } as const;
        this.#carryOut(this.#coordinator.hear(effect.to, answer));
      }
    }
  }

  #deliver(podIndex: number, sent: Message): void {
    const isPlain = sent.type === "pod.list" && this.#older.has(podIndex);
    this.#carryOutOnPod(podIndex, (pod) => pod.hear("c0", isPlain ? { ...sent, delimiter: "" } : sent));
  }

  #carryOutOnPod(podIndex: number, act: (pod: PodInTest) => PodEffect<number>[]): void {
    for (const effect of act(this.#pods[podIndex] as PodInTest)) {
      if (effect.type === "send" && effect.to === "c0")
        this.#carryOut(this.#coordinator.hear(podAddress(podIndex), effect.message));
      else if (effect.type === "persistRefusal") {
        const { uploadId } = effect.refusal;
        this.#carryOutOnPod(podIndex, (pod) => pod.take({ type: "refusalPersisted", uploadId }));
      }
    }
  }
}

function shardsOn(podIndex: number, versions: readonly Version[]): LoggedShard<number>[] {
  return versions.flatMap(({ key, kind, isStray, pod }, number): LoggedShard<number>[] => {
    if (isStray ? pod !== podIndex : pod === podIndex) return [];
    const upload = uploadOf(number + 1, { key, kind });
    const { payloadCrc } = shardOf(upload, podIndex);
    const outcome = isStray ? null : pod === 3 ? "complete" : "committed";
    return [{ upload, shardIndex: podIndex, payloadCrc, position: number, outcome }];
  });
}

/** Keys whose last acknowledged version is an object. */
function visibleKeys(versions: readonly Version[]): string[] {
  const visible = new Set<string>();
  for (const { key, kind, isStray } of versions) {
    if (isStray) continue;
    if (kind === "object") visible.add(key);
    else visible.delete(key);
  }
  return [...visible];
}

function modelOf(versions: readonly Version[], range: Range): string[] {
  const { prefix, after } = range;
  const keys = visibleKeys(versions).filter((key) => key.startsWith(prefix) && compareKeys(key, after) > 0);
  return itemsOf(keys, range);
}

function itemsOf(keys: readonly string[], range: Range): string[] {
  return [...new Set(keys.map((key) => commonPrefix(key, range) ?? key))].sort(compareKeys);
}

/** Lists page by page; each page advances, is in order, and holds only objects that readers see. */
function listAll(vault: VaultInTest, versions: readonly Version[], range: Range): string[] {
  const visible = new Set(visibleKeys(versions));
  const listed: string[] = [];
  for (let after: string | null = range.after; after !== null; ) {
    const { uploads, truncatedAfter } = vault.list({ ...range, after });
    const keys = uploads.map(({ key }) => key);
    expect(keys.filter((key) => !visible.has(key))).toEqual([]);
    expect(keys).toEqual(keys.toSorted(compareKeys));
    expect(keys.length).toBeLessThanOrEqual(range.keyCountMax);
    for (const key of keys) expect(compareKeys(key, after)).toBeGreaterThan(0);
    if (truncatedAfter !== null) expect(compareKeys(truncatedAfter, after)).toBeGreaterThan(0);
    listed.push(...keys);
    after = truncatedAfter;
  }
  return itemsOf(listed, range);
}

const anyKey = fc
  .array(fc.constantFrom("a", "b", "/", "//", "é", "\u{1f600}", "\uffff"), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(""));
/** Few keys have histories, and several share a common prefix. */
const key = fc.oneof(
  { arbitrary: fc.constantFrom("a/1", "a/2", "a/3", "a//", "b/1", "b/2", "b"), weight: 4 },
  { arbitrary: anyKey, weight: 1 },
);
const version = fc.record<Version>({
  key,
  kind: fc.constantFrom("object", "tombstone"),
  isStray: fc.constantFrom(false, false, false, true),
  pod: fc.nat(3),
});
const range = fc.record<Range>({
  prefix: fc.constantFrom("", "", "a", "a/", "b"),
  after: fc.constantFrom("", "", "a/b", "a", "b//"),
  delimiter: fc.constantFrom("/", "/", "//", "a", "\u{1f600}", ""),
  keyCountMax: fc.integer({ min: 1, max: 6 }),
});

test("a list with a delimiter has each common prefix of a plain list, even if single pods have missed versions", () => {
  const versions = fc.array(version, { maxLength: 25 });
  fc.assert(
    fc.property(versions, range, fc.subarray(PODS), (all, asked, older) => {
      const vault = new VaultInTest(all, older);
      expect(listAll(vault, all, asked)).toEqual(modelOf(all, asked));
    }),
    { numRuns: 500 },
  );
});

test("a page holds one object per common prefix, even if each prefix has several", () => {
  const versions = countTo(600).map(
    (number): Version => ({
      key: `2026/${String(number % 60).padStart(2, "0")}/${number}`,
      kind: "object",
      isStray: false,
      pod: 3,
    }),
  );
  const vault = new VaultInTest(versions, []);
  const asked = { prefix: "2026/", after: "", delimiter: "/", keyCountMax: 60 };
  const { uploads, truncatedAfter } = vault.list(asked);
  expect(
    itemsOf(
      uploads.map((upload) => upload.key),
      asked,
    ),
  ).toHaveLength(60);
  expect([uploads.length, truncatedAfter]).toEqual([60, null]);
});

test("a common prefix of deleted objects is not listed, even if two pods have missed one deletion each", () => {
  const versions: Version[] = [
    { key: "a/1", kind: "object", isStray: false, pod: 3 },
    { key: "a/2", kind: "object", isStray: false, pod: 3 },
    { key: "b", kind: "object", isStray: false, pod: 3 },
    { key: "a/1", kind: "tombstone", isStray: false, pod: 0 },
    { key: "a/2", kind: "tombstone", isStray: false, pod: 1 },
  ];
  const asked = { prefix: "", after: "", delimiter: "/", keyCountMax: 10 };
  expect(listAll(new VaultInTest(versions, []), versions, asked)).toEqual(["b"]);
});

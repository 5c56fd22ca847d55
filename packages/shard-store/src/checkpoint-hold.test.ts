/** Bounds of the time and the memory for which a checkpoint has messages wait. */
import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { MemoryDisk, openedLogKeeping } from "@stashlight/shard-log/testing";
import type { Message, SavedPod, Shard } from "@stashlight/write-path";
import { expect, test } from "vitest";
import type { PodAnswers } from "./answers.ts";
import { checkpointBoot, type IndexFiles } from "./saved-boot.ts";
import { MachineShell } from "./shell/machine-shell.ts";
import { keepRecord, ShardStore } from "./store.ts";

const MIB = 1_048_576;
const ignore = () => {};
const answers: PodAnswers = {
  machine: "pod",
  appended: ignore,
  appendFailed: ignore,
  corrupt: ignore,
  unreadable: ignore,
  loaded: ignore,
  flushed: ignore,
  flushFailed: ignore,
  refusalPersisted: ignore,
  horizonPersisted: ignore,
  room: ignore,
};

/** A pod whose drive answers when the test runs it, by a clock that the test moves. */
class Bench {
  readonly disk = new MemoryDisk();
  readonly memory = new PageMemory({ heldPagesMax: 8, file: new ArrayFile() });
  readonly store: ShardStore;
  /** Types of the messages that the machine has got. */
  readonly taken: string[] = [];
  readonly shell = new MachineShell<never, never>({
    step: (event) => {
      if (event.type === "message") this.taken.push(event.message.type);
      return [];
    },
    carryOut: ignore,
    surroundings: { send: ignore, startTimer: () => ignore, defer: ignore, nowMs: () => 0 },
  });
  readonly refusals: (string | null)[] = [];
  rootCount = 0;
  isWanted = true;
  readonly #deferred: (() => void)[] = [];
  #nowUs = 0;
  #timers: { readonly atUs: number; readonly action: () => void }[] = [];

  constructor() {
    const opened = openedLogKeeping(this.disk, keepRecord, { policy: "extents", memory: this.memory }, true);
    const { store, release } = ShardStore.start({
      ...{ opened, memory: this.memory, answers, fullAtShare: 0.75, relievedAtShare: 0.7 },
      ...{ defer: (action) => this.#deferred.push(action), after: ignore },
    });
    release();
    this.store = store;
    store.persistHorizon("1".repeat(24));
    store.log.flush(ignore);
    this.answer();
  }

  /** Has the drive answer the log, and the log its machine. */
  answer(): void {
    this.disk.run();
    for (const action of this.#deferred.splice(0)) action();
  }

  checkpoint(): void {
    const files: IndexFiles = {
      syncPages: (done) => done(null),
      prepareRoot: () => (done) => {
        this.rootCount += 1;
        done(null, true);
      },
      removeRoot: (done) => done(null),
      clearPages: ignore,
    };
    const { store, shell, memory } = this;
    const after = (us: number, action: () => void) => {
      this.#timers.push({ atUs: this.#nowUs + us, action });
    };
    const savePod = () => ({}) as SavedPod;
    checkpointBoot(
      { store, shell, memory, files, savePod, after, isWanted: () => this.isWanted },
      (refusal) => this.refusals.push(refusal),
    );
  }

  /** Moves the clock, and runs the timers that are due in their order. */
  pass(us: number): void {
    const endUs = this.#nowUs + us;
    for (;;) {
      const [first] = this.#timers.toSorted((a, b) => a.atUs - b.atUs);
      if (first === undefined || first.atUs > endUs) break;
      this.#timers.splice(this.#timers.indexOf(first), 1);
      this.#nowUs = first.atUs;
      first.action();
    }
    this.#nowUs = endUs;
  }

  /** Sends a message with a payload of this size. */
  send(bytes: number): void {
    const shard = { shardIndex: 0, payload: Buffer.alloc(bytes), payloadCrc: 0 } as unknown as Shard;
    this.shell.receive("c0", { type: "pod.append", shard } as unknown as Message);
  }
}

test("a pod whose messages fill 16 MiB takes them all, and is saved another time", () => {
  const bench = new Bench();
  bench.checkpoint();
  bench.shell.receive("c0", { type: "pod.greet", floor: "0" });
  for (let count = 0; count < 16; count += 1) bench.send(MIB);
  expect([bench.taken, bench.refusals]).toEqual([[], []]);
  bench.send(1);
  const appends = Array.from({ length: 17 }, () => "pod.append");
  expect(bench.taken).toEqual(["pod.greet", ...appends]);
  expect(bench.refusals).toEqual(["too many messages wait for its pod"]);
  expect(bench.store.log.isPaused).toBe(false);
  bench.send(20 * MIB);
  bench.answer();
  bench.pass(60_000_000);
  expect([bench.taken.length, bench.refusals.length, bench.rootCount]).toEqual([19, 1, 0]);
  bench.checkpoint();
  bench.answer();
  expect([bench.refusals.at(-1), bench.rootCount]).toEqual([null, 1]);
});

test("a pod whose log does not come to rest takes its messages after a second", () => {
  const bench = new Bench();
  bench.checkpoint();
  bench.send(1);
  bench.pass(999_999);
  expect([bench.taken, bench.refusals]).toEqual([[], []]);
  bench.pass(1);
  expect([bench.taken, bench.refusals]).toEqual([["pod.append"], ["its log does not come to rest"]]);
  expect(bench.store.log.isPaused).toBe(false);
  bench.answer();
  bench.pass(60_000_000);
  expect([bench.refusals.length, bench.rootCount]).toEqual([1, 0]);
  bench.checkpoint();
  bench.answer();
  expect([bench.refusals.at(-1), bench.rootCount]).toEqual([null, 1]);
});

test.each([
  ["after a second", true, "its log does not come to rest"],
  ["at once if it is to stop", false, "its machine waits for the log"],
])("a pod that waits for its log takes its messages %s", (_when, isWanted, reason) => {
  const bench = new Bench();
  // The answer is on its way to the machine.
  bench.store.flush();
  bench.checkpoint();
  bench.send(1);
  bench.pass(990_000);
  expect([bench.taken, bench.refusals]).toEqual([[], []]);
  bench.isWanted = isWanted;
  bench.pass(isWanted ? 10_000 : 2_000);
  expect([bench.taken, bench.refusals]).toEqual([["pod.append"], [reason]]);
  bench.answer();
  bench.isWanted = true;
  bench.checkpoint();
  bench.answer();
  expect([bench.refusals.at(-1), bench.rootCount]).toEqual([null, 1]);
});

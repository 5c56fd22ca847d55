import type { OpenedLog } from "@stashlight/shard-log";
import { crc32c, MemoryDisk, openedLogKeeping } from "@stashlight/shard-log/testing";
import type { Outcome, Shard } from "@stashlight/write-path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EXCEPTION_COUNT_MAX, NO_STATEMENT, Outcomes, StatementReader } from "./outcomes.ts";
import type { KeptRecord } from "./records.ts";
import { keepRecord, ShardStore } from "./store.ts";

const nothing = () => {};
const uploadIdText = (number: number): string => number.toString(16).padStart(32, "0");

function makeShard(number: number): Shard {
  const payload = new Uint8Array(500).fill(number);
  const upload = {
    uploadId: uploadIdText(number),
    kind: "object",
    bucket: "photos",
    key: `${number}`,
    order: "0".repeat(24),
    scheme: { dataShardCount: 16, parityShardCount: 4 },
    sizeBytes: 8000,
    etag: "",
    contentType: "",
    userMetadata: {},
    epoch: 1,
  } as const;
  return { upload, shardIndex: 7, payload, payloadCrc: crc32c(payload) };
}

type Change = (opened: OpenedLog<KeptRecord>) => OpenedLog<KeptRecord>;

/** One boot of a pod's store. */
class Boot {
  readonly disk: MemoryDisk;
  readonly store: ShardStore;
  readonly told: ReadonlyMap<string, Outcome | null>;
  readonly positions = new Map<string, number>();

  constructor(disk: MemoryDisk, isNew: boolean, change: Change = (opened) => opened) {
    this.disk = disk;
    const { store, recovered } = ShardStore.start({
      opened: change(openedLogKeeping(disk, keepRecord, { policy: "extents" }, isNew)),
      answers: {
        machine: "pod",
        appended: (uploadId, _shardIndex, position) => this.positions.set(uploadId, position),
        appendFailed: nothing,
        flushed: nothing,
        flushFailed: nothing,
        corrupt: nothing,
        unreadable: nothing,
        loaded: nothing,
        horizonPersisted: nothing,
        room: nothing,
        refusalPersisted: nothing,
      },
      defer: nothing,
      after: nothing,
      fullAtShare: 1,
      relievedAtShare: 1,
    });
    this.store = store;
    this.told = new Map([...recovered.shards].map(({ upload, outcome }) => [upload.uploadId, outcome]));
    for (const { upload, position } of recovered.shards) this.positions.set(upload.uploadId, position);
  }

  append(number: number): void {
    this.store.append(makeShard(number), "data");
    this.disk.run();
  }

  remember(number: number, outcome: Outcome): void {
    this.store.remember(this.positions.get(uploadIdText(number)) as number, outcome);
  }

  kill(number: number): void {
    this.store.kill(this.positions.get(uploadIdText(number)) as number);
    this.positions.delete(uploadIdText(number));
  }

  write(): void {
    this.store.writeOutcomes();
    this.disk.run();
  }

  flush(): void {
    this.store.flush();
    this.disk.run();
  }

  crash(change?: Change): Boot {
    return new Boot(this.disk.processCrash(), false, change);
  }

  cut(isKept: (page: number) => boolean): Boot {
    return new Boot(
      this.disk.powerCut((_file, page) => (isKept(page) ? "kept" : "dropped")),
      false,
    );
  }
}

const firstBoot = () => new Boot(new MemoryDisk(), true);

test("the next boot receives the outcomes that were known when the last statement was written, and no others", () => {
  const boot = firstBoot();
  for (const number of [1, 2, 3]) boot.append(number);
  boot.remember(1, "complete");
  boot.remember(2, "committed");
  boot.write();
  boot.append(4);
  boot.remember(4, "complete");
  const next = boot.crash();
  expect(next.told).toEqual(
    new Map([
      [uploadIdText(1), "complete"],
      [uploadIdText(2), "committed"],
      [uploadIdText(3), null],
      [uploadIdText(4), null],
    ]),
  );
  next.remember(3, "committed");
  next.write();
  expect([...next.crash().told.values()]).toEqual(["complete", "committed", "committed", null]);
});

test("a shard that is stored again is not covered by an earlier statement", () => {
  const boot = firstBoot();
  boot.append(1);
  boot.remember(1, "complete");
  boot.write();
  boot.kill(1);
  boot.append(1);
  expect(boot.crash().told.get(uploadIdText(1))).toBe(null);
});

test("a damaged log's statement is ignored, unless only a header had lost a copy", () => {
  const boot = firstBoot();
  boot.append(1);
  boot.remember(1, "complete");
  boot.write();
  const damaged = (kind: "record_lost" | "header_copy_lost") => (opened: OpenedLog<KeptRecord>) => {
    return { ...opened, damage: [{ kind, slot: 0, generation: 1, offset: 0 }] };
  };
  expect(boot.crash(damaged("record_lost")).told.get(uploadIdText(1))).toBe(null);
  expect(boot.crash(damaged("header_copy_lost")).told.get(uploadIdText(1))).toBe("complete");
});

test("no boot receives outcomes that were not true, or those of a dropped upload, after any power cut", () => {
  const step = fc.record({
    deed: fc.constantFrom(
      "append",
      "append",
      "committed",
      "complete",
      "kill",
      "write",
      "flush",
      "cut",
      "crash",
    ),
    number: fc.integer({ min: 1, max: 12 }),
    luck: fc.infiniteStream(fc.boolean()),
  });
  let toldCount = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
      const truth = new Map<string, Outcome>();
      let boot = firstBoot();
      for (const { deed, number, luck } of steps) {
        const id = uploadIdText(number);
        const holds = boot.positions.has(id);
        if (deed === "append" && !holds) boot.append(number);
        else if (deed === "committed" && holds && !truth.has(id)) {
          truth.set(id, "committed");
          boot.remember(number, "committed");
        } else if (deed === "complete" && holds) {
          truth.set(id, "complete");
          boot.remember(number, "complete");
        } else if (deed === "kill" && holds) boot.kill(number);
        else if (deed === "write") boot.write();
        else if (deed === "flush") boot.flush();
        else if (deed === "cut" || deed === "crash") {
          boot = deed === "cut" ? boot.cut(() => luck.next().value) : boot.crash();
          for (const [uploadId, outcome] of boot.told) {
            if (outcome === null) continue;
            toldCount += 1;
            expect(outcome === "complete" ? ["complete"] : ["committed", "complete"]).toContain(
              truth.get(uploadId),
            );
          }
        }
      }
    }),
    { numRuns: 60 },
  );
  // A random run has about two dozen; a run with none would prove nothing.
  expect(toldCount).toBeGreaterThan(3);
});

test("a statement ends before it has too many exceptions, and does not cover later records", () => {
  const outcomes = new Outcomes();
  for (let number = 1; number <= 1000; number += 1)
    outcomes.add(`key ${number}`, uploadIdText(number), number, null);
  for (let number = 1; number <= 1000; number += 2) outcomes.note(`key ${number}`, "complete");
  const reader = new StatementReader(outcomes.statement(1001));
  const covered = 2 * EXCEPTION_COUNT_MAX;
  for (let number = 1; number <= 1000; number += 1) {
    const isKnown = number % 2 === 1 && number <= covered + 1;
    expect(reader.outcomeOf(uploadIdText(number), number)).toBe(isKnown ? "complete" : null);
  }
  expect(new StatementReader(NO_STATEMENT).outcomeOf(uploadIdText(1), 1)).toBe(null);
});

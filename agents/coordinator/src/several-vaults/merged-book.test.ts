/** Tests coordinators that merge the epochs of their ledger, under outages, full vaults and crashes at any write. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { VaultError } from "../vault/errors.ts";
import { accountOf, currentEpoch, type EpochLedger, withEpoch } from "./epoch-ledger.ts";
import { mergeEpochs } from "./epoch-merging.ts";
import { MemoryEndpoint, quietly } from "./testing/memory-endpoint.ts";

const BUCKET = "photos";
const keys = Array.from({ length: 10 }, (_, at) => `key-${at}`);
const coordinatorIds = ["c1", "c2"];
const NONE = { type: "none" } as const;
const how = { requestId: null } as const;
const objectOf = (key: string, etag: string) => ({
  bucket: BUCKET,
  key,
  bytes: Buffer.from(etag),
  etag,
  contentType: "",
  metadata: {},
});

const at = fc.nat(1);
const key = fc.constantFrom(...keys);
const vault = fc.nat(2);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("put" as const), at, key }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("delete" as const), at, key }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("leave" as const), vault }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("back" as const), vault }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("full" as const), vault }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("room" as const), vault }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("squeeze" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("pass" as const),
      seconds: fc.constantFrom(6, 40, 4000, 22_000),
      turnCount: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("kill" as const),
      at,
      writesBefore: fc.nat(6),
      isAfter: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The endpoint and the possible content of each key: one value, or two after a write with an unknown outcome. */
class Trial {
  readonly endpoint = new MemoryEndpoint({ vaultCount: 3, coordinatorIds });
  readonly #held = new Map<string, Set<string | null>>(keys.map((each) => [each, new Set([null])]));
  #writeCount = 0;

  /** Only the first vault exists at the start. */
  async begin(): Promise<void> {
    this.endpoint.leave(1);
    this.endpoint.leave(2);
    for (const id of coordinatorIds) await this.endpoint.start(id);
    await this.endpoint.turnAll(2);
  }

  async #coordinator(index: number) {
    const id = coordinatorIds[index] as string;
    const running = this.endpoint.coordinators.get(id);
    return running === undefined || running.isDead ? await this.endpoint.start(id) : running;
  }

  async #write(index: number, name: string, value: string | null): Promise<void> {
    const { verbs } = await this.#coordinator(index);
    const outcome = await quietly(
      value === null ? verbs.delete(BUCKET, name) : verbs.put(objectOf(name, value), NONE, how),
    );
    if (outcome === "done") this.#held.set(name, new Set([value]));
    else this.#held.get(name)?.add(value);
  }

  async take(action: Step): Promise<void> {
    const { endpoint } = this;
    this.#writeCount += 1;
    switch (action.type) {
      case "put":
        return await this.#write(action.at, action.key, `e${this.#writeCount}`);
      case "delete":
        return await this.#write(action.at, action.key, null);
      case "leave":
        return endpoint.leave(action.vault);
      case "back":
        return endpoint.comeBack(action.vault);
      case "full":
        return void endpoint.full.add(action.vault);
      case "room":
        return void endpoint.full.delete(action.vault);
      case "squeeze":
        return await this.#squeeze();
      case "pass":
        endpoint.nowMs += action.seconds * 1000;
        return await this.#turn(action.turnCount);
      case "kill":
        (await this.#coordinator(action.at)).death = { ...action };
    }
  }

  async #turn(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) {
      for (const index of coordinatorIds.keys()) await this.endpoint.turn(await this.#coordinator(index));
    }
  }

  /** Merges different epochs long before a ledger is half full, as another coordinator would. */
  async #squeeze(): Promise<void> {
    const { endpoint } = this;
    if (endpoint.away.has(0)) return;
    const book = await endpoint.book();
    if (book.formatVersion === 2) await endpoint.writeBook({ ...book, epochs: mergeEpochs(book.epochs, 2) });
  }

  /**
   * Checks that both coordinators agree on each key's content; they may fail to know it only while a vault is
   * unreachable.
   */
  async compare(): Promise<void> {
    for (const index of coordinatorIds.keys()) {
      for (const [name, held] of this.#held) {
        const { verbs } = await this.#coordinator(index);
        try {
          const value = (await verbs.head(BUCKET, name))?.etag ?? null;
          expect([...held]).toContain(value);
          this.#held.set(name, new Set([value]));
        } catch (error) {
          if (!(error instanceof VaultError) || this.endpoint.away.size === 0) throw error;
        }
      }
    }
  }

  async recover(): Promise<void> {
    for (const index of coordinatorIds.keys()) (await this.#coordinator(index)).death = null;
    this.endpoint.full.clear();
    for (const index of this.endpoint.vaults.keys()) this.endpoint.comeBack(index);
    for (let count = 0; count < 8; count += 1) {
      this.endpoint.nowMs += 3_600_001;
      await this.#turn(6);
    }
  }
}

test("outages, full vaults, merges and killed coordinators lose no acknowledged write and undo no deletion", async () => {
  let mergedCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
      const trial = new Trial();
      await trial.begin();
      for (const action of steps) {
        await trial.take(action);
        await trial.compare();
      }
      await trial.recover();
      await trial.compare();
      const { endpoint } = trial;
      for (const index of endpoint.vaults.keys()) expect(await endpoint.isOpen(index)).toBe(true);
      if ((await endpoint.book()).formatVersion === 2) mergedCount += 1;
    }),
    { numRuns: 60 },
  );
  expect(mergedCount).toBeGreaterThan(10);
});

/** An endpoint with an earlier version's ledger, and keys written in each of its epochs. */
async function filledEndpoint(epochCount: number, weightsOf: (at: number) => number[]) {
  const endpoint = new MemoryEndpoint({ vaultCount: 2, coordinatorIds });
  const reason = (weights: number[]) => (weights[1] === 0 ? "unreachable" : "back");
  const first = { weights: [1000], reason: "first", sinceMs: 0 } as const;
  let book: EpochLedger = {
    formatVersion: 1,
    vaults: endpoint.members,
    coordinatorIds: [...coordinatorIds],
    ...accountOf([{ ...first, weights: [1000] }]),
    proposal: null,
  };
  const writer = await endpoint.start("c1");
  const held = new Map<string, string>();
  for (let epoch = 1; ; epoch += 1) {
    writer.turns.follow(book);
    for (const name of [`new-${epoch}`, `again-${epoch % 10}`]) {
      await writer.verbs.put(objectOf(name, `of-${epoch}`), NONE, how);
      held.set(name, `of-${epoch}`);
    }
    const gone = `new-${epoch - 5}`;
    if (held.delete(gone)) await writer.verbs.delete(BUCKET, gone);
    if (epoch === epochCount) break;
    const weights = weightsOf(epoch);
    book = withEpoch(book, { weights, reason: reason(weights), sinceMs: epoch * 1000 });
  }
  await endpoint.writeBook(book);
  return { endpoint, held, names: Array.from({ length: epochCount }, (_, each) => `new-${each + 1}`) };
}

const alternately = (epoch: number) => (epoch % 2 === 0 ? [500, 500] : [1000, 0]);
const allDifferent = (epoch: number) => (epoch % 2 === 0 ? [300 + epoch, 700 - epoch] : [1000 - epoch, 0]);

test.each([
  ["too many epochs for a vault to return", 96, alternately, 2],
  ["one epoch below its limit", 127, alternately, 2],
  ["as many epochs as its limit allows", 128, alternately, 2],
  ["as many epochs as its limit allows, all different", 128, allDifferent, 64],
])("an earlier version's ledger with %s recovers by itself", async (_, epochCount, weights, countMax) => {
  const { endpoint, held, names } = await filledEndpoint(epochCount, weights);
  expect((await endpoint.book()).epochs).toHaveLength(epochCount);
  for (const id of coordinatorIds) await endpoint.start(id);
  await endpoint.turnAll(8);
  const book = await endpoint.book();
  expect(book.formatVersion).toBe(2);
  expect(book.epochs.length).toBeLessThanOrEqual(countMax);
  expect(currentEpoch(book).number).toBeGreaterThanOrEqual(epochCount);
  expect(await endpoint.isOpen(1)).toBe(true);
  for (const { verbs } of endpoint.coordinators.values()) {
    for (const name of [...names, ...held.keys()]) {
      expect([name, (await verbs.head(BUCKET, name))?.etag]).toEqual([name, held.get(name)]);
    }
  }
});

test("a ledger keeps its earlier format while a coordinator of that version remains", async () => {
  const { endpoint } = await filledEndpoint(60, alternately);
  const before = (await endpoint.bookBytes()).toString();
  const { keeper } = await endpoint.start("c1");
  endpoint.coordinators.delete("c2");
  await endpoint.turnAll(8);
  expect(keeper.mergeWaitsFor).toEqual(["c2"]);
  const { proposal, ...book } = JSON.parse((await endpoint.bookBytes()).toString());
  const { proposal: none, ...unchanged } = JSON.parse(before);
  expect(book).toEqual(unchanged);
  expect([none, proposal?.seenBy]).toEqual([null, ["c1"]]);
  // The others notice its update without a restart.
  await endpoint.start("c2");
  endpoint.nowMs += 10_001;
  await endpoint.turnAll(8);
  expect((await endpoint.book()).formatVersion).toBe(2);
  expect(keeper.mergeWaitsFor).toEqual([]);
});

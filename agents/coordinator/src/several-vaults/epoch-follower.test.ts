/** Tests coordinators that agree on epochs by a record in the first vault, with failures, restarts and late answers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryVault } from "../space/testing/memory-vault.ts";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { VaultView } from "./desired-weights.ts";
import { EpochFollower, type EpochFollowerOptions } from "./epoch-follower.ts";
import { EPOCH_COUNT_MAX, type EpochLedger, parseLedger } from "./epoch-ledger.ts";
import { BOOK, EPOCHS } from "./records.ts";
import { WriteGate } from "./write-gate.ts";

const GIB = 2 ** 30;
const names = Array.from({ length: 12 }, (_, at) => ({ bucket: "photos", key: `${at}.jpg` }));
const vaults = ["a", "b", "c"].map((name) => ({ id: `id-${name}`, name }));
const coordinatorIds = ["c1", "c2"];

class Cluster {
  readonly vault = new MemoryVault();
  readonly copies = new Map<string, EpochLedger>();
  readonly views: VaultView[] = vaults.map(() => viewOf(10));
  nowMs = 1_000_000;
  /** Work of other coordinators while one waits for them. */
  whileWaiting: () => Promise<void> = async () => {};
  readonly refused = new Set<number>();
  readonly warnings: string[] = [];
  isFirstFull = false;
  /** Fate of the ledger's next write: done, lost, or done without an answer. */
  nextWrite: "well" | "lost" | "unanswered" = "well";

  add(id: string): { keeper: EpochFollower; turns: WriteGate } {
    const turns = new WriteGate({ patienceMs: 0 });
    const nowMs = () => this.nowMs;
    const keeper = new EpochFollower({
      first: { head: this.vault.head, get: this.vault.get, put: this.#put },
      vaults,
      coordinatorId: id,
      coordinatorIds: () => coordinatorIds,
      turns,
      views: () => this.views,
      isRefused: (vault) => this.refused.has(vault),
      timing: { closeAfterMs: 5000, restMs: 30_000, withdrawAfterMs: 10_000 },
      copy: {
        read: async () => this.copies.get(id) ?? null,
        write: async (book) => void this.copies.set(id, book),
      },
      logger: {
        warn: (_: object, text: string) => void this.warnings.push(text),
      } as EpochFollowerOptions["logger"],
      wallMs: nowMs,
      nowMs,
      wait: async (ms) => {
        this.nowMs += ms;
        await this.whileWaiting();
      },
    });
    return { keeper, turns };
  }

  #put: VaultVerbs["put"] = async (object, condition, how) => {
    const { nextWrite } = this;
    this.nextWrite = "well";
    if (this.isFirstFull && how.isVital !== true) throw new VaultError("full");
    if (nextWrite === "lost") throw new VaultError("unavailable");
    const stored = await this.vault.put(object, condition, how);
    if (nextWrite === "unanswered") throw new VaultError("unavailable");
    return stored;
  };

  async book(): Promise<EpochLedger> {
    const found = await this.vault.get(EPOCHS, BOOK);
    return parseLedger(Buffer.concat(found?.parts ?? []));
  }
}

function viewOf(freeGib: number, more: Partial<VaultView> = {}): VaultView {
  return { isReachable: true, sinceMs: 60_000, freeBytes: freeGib * GIB, capacityBytes: 20 * GIB, ...more };
}

const quietly = (work: Promise<void>): Promise<void> =>
  work.catch((error) => {
    if (!(error instanceof VaultError)) throw error;
  });

/** The vault to which the coordinator would write the key now; null if to none. */
async function homeOf(turns: WriteGate, name: (typeof names)[number]): Promise<number | null> {
  try {
    const turn = await turns.begin(name);
    turn.end();
    return turn.segments[0]?.vault ?? null;
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

test("an epoch begins when all coordinators have agreed, and one that is down delays no write", async () => {
  const cluster = new Cluster();
  const [one, two] = [cluster.add("c1"), cluster.add("c2")];
  for (let count = 0; count < 5; count += 1) await one.keeper.turn();
  expect((await cluster.book()).epochs).toHaveLength(1);
  expect(one.turns.isHolding).toBe(false);
  for (const name of names) expect(await homeOf(one.turns, name)).toBe(0);
  for (const { keeper } of [two, one, two, one]) await keeper.turn();
  const { epochs } = await cluster.book();
  expect(epochs.map(({ reason }) => reason)).toEqual(["first", "joined"]);
  expect(epochs[1]?.weights).toEqual([333, 333, 333]);
  const homes = await Promise.all(names.map((name) => homeOf(one.turns, name)));
  expect(new Set(homes)).toEqual(new Set([0, 1, 2]));
  expect(await Promise.all(names.map((name) => homeOf(two.turns, name)))).toEqual(homes);
});

test("the first ledger is logged only by the coordinator that writes it", async () => {
  const cluster = new Cluster();
  const [one, two] = [cluster.add("c1"), cluster.add("c2")];
  cluster.nextWrite = "lost";
  await quietly(one.keeper.turn());
  expect(cluster.warnings).toEqual([]);
  for (const { keeper } of [one, two, one, two]) await keeper.turn();
  expect(cluster.warnings).toEqual([expect.stringContaining("had no ledger of epochs")]);
});

test("an agreement that the others do not follow is withdrawn, and survives a restart until then", async () => {
  const cluster = new Cluster();
  const [one, two] = [cluster.add("c1"), cluster.add("c2")];
  for (const { keeper } of [one, two]) await keeper.turn();
  expect(two.turns.isHolding).toBe(true);
  const again = cluster.add("c2");
  await again.keeper.start();
  expect(again.turns.isHolding).toBe(true);
  expect(await Promise.all(names.map((name) => homeOf(again.turns, name)))).toContain(null);
  await again.keeper.turn();
  cluster.nowMs += 10_001;
  await again.keeper.turn();
  expect(again.turns.isHolding).toBe(false);
  expect((await cluster.book()).epochs).toHaveLength(1);
});

test("a vault that refuses a write is passed over, unless all are full", async () => {
  const cluster = new Cluster();
  const [one, two] = [cluster.add("c1"), cluster.add("c2")];
  for (const { keeper } of [one, two, one, two, one]) await keeper.turn();
  cluster.isFirstFull = true;
  await expect(one.keeper.passOver(0)).rejects.toThrow(VaultError);
  cluster.whileWaiting = () => two.keeper.turn();
  expect(await one.keeper.passOver(0)).toBe(true);
  expect((await cluster.book()).epochs.at(-1)).toMatchObject({ weights: [0, 500, 500], reason: "full" });
  // Another vault that is nearly full gets no new keys, so writes do not wait for it.
  const waitedFromMs = cluster.nowMs;
  for (const vault of [0, 1, 2]) cluster.views[vault] = viewOf(0.1);
  expect(await one.keeper.passOver(1)).toBe(false);
  expect(cluster.nowMs).toBe(waitedFromMs);
  for (const vault of [0, 1, 2]) cluster.views[vault] = viewOf(0);
  expect(await one.keeper.passOver(1)).toBe(false);
  cluster.views[2] = viewOf(0, { isReachable: false });
  await expect(one.keeper.passOver(1)).rejects.toThrow(VaultError);
  // The space of a vault that does not belong here does not count, and waiting for it would be useless.
  cluster.refused.add(2);
  expect(await one.keeper.passOver(1)).toBe(false);
});

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant("turn" as const), at: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("restart" as const), at: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("write" as const),
      how: fc.constantFrom("lost" as const, "unanswered" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("view" as const),
      vault: fc.nat(2),
      freeGib: fc.constantFrom(0, 2, 10),
      isReachable: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("pass" as const), seconds: fc.constantFrom(1, 11, 4000) }),
  },
);

test("coordinators never write a key to different vaults, and writes of all keys eventually resume", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      const cluster = new Cluster();
      const both = coordinatorIds.map((id) => cluster.add(id));
      for (const action of steps) {
        if (action.type === "turn") await quietly((both[action.at] as (typeof both)[number]).keeper.turn());
        if (action.type === "restart") {
          both[action.at] = cluster.add(coordinatorIds[action.at] as string);
          await both[action.at]?.keeper.start();
        }
        if (action.type === "write") cluster.nextWrite = action.how;
        if (action.type === "view") {
          cluster.views[action.vault] = viewOf(action.freeGib, { isReachable: action.isReachable });
        }
        if (action.type === "pass") cluster.nowMs += action.seconds * 1000;
        for (const name of names) {
          const homes = await Promise.all(both.map(({ turns }) => homeOf(turns, name)));
          expect(new Set(homes.filter((home) => home !== null)).size).toBeLessThanOrEqual(1);
        }
      }
      cluster.nextWrite = "well";
      for (let count = 0; count < 12; count += 1) for (const { keeper } of both) await keeper.turn();
      for (const { turns } of both) {
        for (const name of names) expect(await homeOf(turns, name)).not.toBeNull();
      }
    }),
    { numRuns: 25 },
  );
});

test("a vault that fails and recovers repeatedly does not fill the ledger", async () => {
  const cluster = new Cluster();
  const [one, two] = [cluster.add("c1"), cluster.add("c2")];
  for (let count = 0; count < 1000; count += 1) {
    cluster.views[1] = viewOf(10, { isReachable: count % 2 === 0 });
    cluster.nowMs += 60_000;
    for (const { keeper } of [one, two, one]) await keeper.turn();
  }
  expect((await cluster.book()).epochs.length).toBeLessThanOrEqual(EPOCH_COUNT_MAX);
});

test("vaults must be listed in the order in which they joined", async () => {
  const cluster = new Cluster();
  const { keeper } = cluster.add("c1");
  await keeper.turn();
  vaults.reverse();
  try {
    const other = cluster.add("c1");
    await expect(other.keeper.turn()).rejects.toThrow(VaultError);
    expect(other.keeper.trouble).toMatch(/^The vaults a, b, c are behind this endpoint/);
  } finally {
    vaults.reverse();
  }
});

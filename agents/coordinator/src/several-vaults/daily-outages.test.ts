/** Tests five years of daily outages: the ledger stays small, and each vault gets new keys after each return. */
import { expect, test } from "vitest";
import { currentEpoch } from "./epoch-ledger.ts";
import { CAPACITY_GIB, MemoryEndpoint, quietly } from "./testing/memory-endpoint.ts";

const DAY_MS = 86_400_000;
const DAY_COUNT = 5 * 365;
const OUTAGE_MS = 20_000;
const LOOK_EVERY_MS = 5000;
/** With one outage per day, rests between epochs that are not urgent are shorter than this. */
const BACK_WITHIN_MS = 300_000;
const BUCKET = "photos";
const KEY_COUNT = 50;

interface Scenario {
  readonly vaultCount: number;
  /** Vault that is unreachable on that day. */
  readonly away: (day: number) => number;
  readonly fullVault: (day: number) => number | null;
  /** Largest allowed number of epochs in the ledger. */
  readonly epochCountMax: number;
}

const never = () => null;
const scenarios: [string, Scenario][] = [
  ["one vault of two", { vaultCount: 2, away: () => 1, fullVault: never, epochCountMax: 8 }],
  [
    "two vaults of three alternately",
    { vaultCount: 3, away: (day) => 1 + (day % 2), fullVault: never, epochCountMax: 20 },
  ],
  [
    "one vault of three while another is full for every other hundred days",
    {
      vaultCount: 3,
      away: () => 1,
      fullVault: (day) => (Math.floor(day / 100) % 2 === 1 ? 2 : null),
      epochCountMax: 20,
    },
  ],
];

/** Vaults fill and empty over months, each with its own period. */
const freeGib = (vault: number, day: number): number =>
  CAPACITY_GIB * (0.5 + 0.3 * Math.sin(day / (60 + 25 * vault)));

async function passTime(endpoint: MemoryEndpoint, durationMs: number, isOver = async () => false) {
  for (let passedMs = 0; passedMs < durationMs; passedMs += LOOK_EVERY_MS) {
    if (await isOver()) return;
    endpoint.nowMs += LOOK_EVERY_MS;
    await endpoint.turnAll();
  }
}

test.each(scenarios)(
  "%s: the ledger stays small with an outage of 20 s per day",
  async (_, { vaultCount, away, fullVault, epochCountMax }) => {
    const endpoint = new MemoryEndpoint({ vaultCount, coordinatorIds: ["c1"] });
    const { verbs } = await endpoint.start("c1");
    await passTime(endpoint, 60_000);
    const held = new Map<string, string>();
    const put = async (key: string, etag: string) => {
      const object = { bucket: BUCKET, key, bytes: Buffer.from(etag), etag, contentType: "", metadata: {} };
      expect(await quietly(verbs.put(object, { type: "none" }, { requestId: null }))).toBe("done");
      held.set(key, etag);
    };
    let epochCountSeen = 0;
    for (let day = 0; day < DAY_COUNT; day += 1) {
      for (const vault of endpoint.vaults.keys()) endpoint.freeGib[vault] = freeGib(vault, day);
      endpoint.full.clear();
      const full = fullVault(day);
      if (full !== null) endpoint.full.add(full);
      const vault = away(day);
      endpoint.leave(vault);
      await passTime(endpoint, OUTAGE_MS);
      expect(await endpoint.isOpen(vault)).toBe(false);
      await put(`key-${day % KEY_COUNT}`, `away-on-${day}`);
      endpoint.comeBack(vault);
      await passTime(endpoint, BACK_WITHIN_MS, () => endpoint.isOpen(vault));
      expect([day, await endpoint.isOpen(vault)]).toEqual([day, true]);
      await put(`key-${(day * 7) % KEY_COUNT}`, `back-on-${day}`);
      const deleted = `key-${(day * 3) % KEY_COUNT}`;
      expect(await quietly(verbs.delete(BUCKET, deleted))).toBe("done");
      held.delete(deleted);
      epochCountSeen = Math.max(epochCountSeen, (await endpoint.book()).epochs.length);
      endpoint.nowMs += DAY_MS - (endpoint.nowMs % DAY_MS);
      await endpoint.turnAll();
    }
    expect(epochCountSeen).toBeLessThanOrEqual(epochCountMax);
    expect(currentEpoch(await endpoint.book()).number).toBeGreaterThan(2 * DAY_COUNT);
    for (let at = 0; at < KEY_COUNT; at += 1) {
      const key = `key-${at}`;
      expect([key, (await verbs.head(BUCKET, key))?.etag]).toEqual([key, held.get(key)]);
    }
  },
);

/** Tests several vaults in memory against a model of one: clients always see a single map of keys. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryVault } from "../space/testing/memory-vault.ts";
import { VaultError } from "../vault/errors.ts";
import type { NewObject } from "../vault/objects.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { BucketMarkers } from "./bucket-markers.ts";
import { accountOf, currentEpoch, type EpochLedger, withEpoch } from "./epoch-ledger.ts";
import { mergeEpochs } from "./epoch-merging.ts";
import { Leftovers } from "./leftovers.ts";
import { segmentsOf } from "./placement.ts";
import { type SpreadVaultOptions, spreadVault, WAITING_WRITES_MAX } from "./spread-vault.ts";
import { WriteGate } from "./write-gate.ts";

const VAULT_COUNT = 3;
const BUCKET = "photos";
const keys = Array.from({ length: 12 }, (_, at) => `key-${String.fromCharCode(97 + at)}`);
const NONE = { type: "none" } as const;
const how = { requestId: null } as const;

interface World {
  readonly vaults: readonly MemoryVault[];
  /** Unreachable vaults. */
  readonly away: Set<number>;
  /** Vaults without space for new records. */
  readonly full: Set<number>;
  book: EpochLedger;
}

function newWorld(): World {
  const vaults = Array.from({ length: VAULT_COUNT }, () => new MemoryVault());
  const away = new Set<number>();
  const full = new Set<number>();
  for (const [index, vault] of vaults.entries()) {
    vault.before = async (verb, bucket, key) => {
      if (away.has(index)) throw new VaultError("unavailable");
      const isNew = verb === "put" && !vault.keysIn(bucket).includes(key);
      if (full.has(index) && isNew) throw new VaultError("full");
    };
  }
  const terms = { reason: "first", sinceMs: 0 } as const;
  const book: EpochLedger = {
    formatVersion: 1,
    vaults: vaults.map((_, at) => ({ id: `vault-${at}`, name: `v${at}` })),
    coordinatorIds: ["c1"],
    ...accountOf([{ weights: [1000], ...terms }]),
    proposal: null,
  };
  return { vaults, away, full, book };
}

interface TestCoordinator {
  readonly verbs: VaultVerbs;
  readonly turns: WriteGate;
  readonly leftovers: Leftovers;
}

function newCoordinator(
  world: World,
  patienceMs = 0,
  passOver = async () => false,
  waiting: Pick<SpreadVaultOptions, "mayBeTakenOver" | "wait"> = {
    mayBeTakenOver: () => false,
    wait: async () => {},
  },
): TestCoordinator {
  const { vaults } = world;
  const turns = new WriteGate({ patienceMs });
  turns.follow(world.book);
  const markers = new BucketMarkers(vaults, () => true);
  // Versions in memory are ordered by a counter, so all are old.
  const clock = { nowMs: () => 1_000_000, isBusy: () => false };
  const leftovers = new Leftovers({ vaults, turns, markers, graceMs: 0, walkEveryMs: 0, ...clock });
  const verbs = spreadVault({
    vaults,
    turns,
    markers,
    mayHaveLeftovers: (name) => leftovers.add(name),
    passOver,
    nowMs: clock.nowMs,
    ...waiting,
  });
  return { verbs, turns, leftovers };
}

function objectOf(key: string, etag: string): NewObject {
  return { bucket: BUCKET, key, bytes: Buffer.from(etag), etag, contentType: "", metadata: {} };
}

const outcomeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof VaultError) return error.code;
    throw error;
  }
};

const key = fc.constantFrom(...keys);
const etag = fc.constantFrom("e1", "e2", "e3");
const vault = fc.nat(VAULT_COUNT - 1);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("put" as const), key, etag }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("create" as const), key, etag }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("replace" as const), key, etag, expected: etag }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("replaceSeen" as const), key, etag }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("delete" as const), key }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("deleteIf" as const), key, expected: etag }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("epoch" as const),
      weights: fc
        .array(fc.constantFrom(0, 200, 500), { minLength: VAULT_COUNT, maxLength: VAULT_COUNT })
        .filter((weights) => weights.some((weight) => weight > 0)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("merge" as const),
      countMax: fc.integer({ min: 2, max: 6 }),
      /** If false, the coordinator still uses the ledger from before the merge. */
      isFollowed: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("away" as const), vault }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("back" as const), vault }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("full" as const), vault }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("room" as const), vault }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("tidy" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("restart" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The model after a write, or the refusal that the write should get if all vaults answer. */
function expectedOf(model: Map<string, string>, action: Step): "precondition" | (() => void) | null {
  switch (action.type) {
    case "put":
      return () => model.set(action.key, action.etag);
    case "create":
      return model.has(action.key) ? "precondition" : () => model.set(action.key, action.etag);
    case "replace":
      if (model.get(action.key) !== action.expected) return "precondition";
      return () => model.set(action.key, action.etag);
    case "replaceSeen":
      return model.has(action.key) ? () => model.set(action.key, action.etag) : "precondition";
    case "delete":
      return () => model.delete(action.key);
    case "deleteIf":
      return model.get(action.key) === action.expected ? () => model.delete(action.key) : "precondition";
    default:
      return null;
  }
}

function write({ verbs }: TestCoordinator, action: Step): Promise<unknown> {
  switch (action.type) {
    case "put":
      return verbs.put(objectOf(action.key, action.etag), NONE, how);
    case "create":
      return verbs.put(objectOf(action.key, action.etag), { type: "absent" }, how);
    case "replace":
      return verbs.put(objectOf(action.key, action.etag), { type: "etag", etag: action.expected }, how);
    case "replaceSeen":
      return replaceSeen(verbs, action);
    case "delete":
      return verbs.delete(BUCKET, action.key);
    case "deleteIf":
      return verbs.delete(BUCKET, action.key, { type: "etag", etag: action.expected });
    default:
      throw new TypeError(`${action.type} is no write.`);
  }
}

/** Replaces the version that a read returned. */
async function replaceSeen(
  verbs: VaultVerbs,
  { key, etag }: { key: string; etag: string },
): Promise<unknown> {
  const seen = await verbs.head(BUCKET, key);
  const condition = { type: "version", uploadId: seen?.uploadId ?? "none" } as const;
  return await verbs.put(objectOf(key, etag), condition, how);
}

async function change(world: World, coordinator: TestCoordinator, action: Step): Promise<TestCoordinator> {
  const { away, full } = world;
  if (action.type === "away") away.add(action.vault);
  if (action.type === "back") away.delete(action.vault);
  if (action.type === "full") full.add(action.vault);
  if (action.type === "room") full.delete(action.vault);
  if (action.type === "tidy") await outcomeOf(coordinator.leftovers.turn());
  if (action.type === "restart") return newCoordinator(world);
  if (action.type === "epoch") {
    const epoch = { weights: action.weights, reason: "space", sinceMs: 0 } as const;
    world.book = withEpoch(world.book, epoch);
    coordinator.turns.follow(world.book);
  }
  if (action.type === "merge") {
    world.book = { ...world.book, epochs: mergeEpochs(world.book.epochs, action.countMax) };
    if (action.isFollowed) coordinator.turns.follow(world.book);
  }
  return coordinator;
}

async function compare(
  { verbs }: TestCoordinator,
  { away }: World,
  model: Map<string, string>,
): Promise<void> {
  for (const key of keys) {
    try {
      const [head, got] = [await verbs.head(BUCKET, key), await verbs.get(BUCKET, key)];
      expect([key, head?.etag]).toEqual([key, model.get(key)]);
      expect(got === null ? undefined : Buffer.concat(got.parts).toString()).toBe(model.get(key));
    } catch (error) {
      if (!(error instanceof VaultError) || away.size === 0) throw error;
    }
  }
  const listed = await outcomeOf(verbs.list(BUCKET, { prefix: "", after: "", keyCountMax: 1000 }));
  expect(listed).toBe(away.size === 0 ? "done" : "unavailable");
}

/** Lists all pages, each continued at the end of the previous one. */
async function listAll(verbs: VaultVerbs, prefix: string, keyCountMax: number) {
  const pages: { key: string; etag: string }[][] = [];
  for (let after = ""; ; ) {
    const { uploads, isTruncated } = await verbs.list(BUCKET, { prefix, after, keyCountMax });
    pages.push(uploads.map((upload) => ({ key: upload.key, etag: upload.etag })));
    if (!isTruncated) return pages;
    expect(uploads).toHaveLength(keyCountMax);
    after = uploads.at(-1)?.key ?? "";
  }
}

const byKey = (model: Map<string, string>, prefix = "") =>
  [...model]
    .map(([key, etag]) => ({ key, etag }))
    .filter(({ key }) => key.startsWith(prefix))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

async function run(
  world: World,
  steps: readonly Step[],
  model: Map<string, string>,
): Promise<TestCoordinator> {
  let coordinator = newCoordinator(world);
  for (const action of steps) {
    const expected = expectedOf(model, action);
    if (expected === null) {
      coordinator = await change(world, coordinator, action);
      continue;
    }
    const outcome = await outcomeOf(write(coordinator, action));
    if (outcome === "done") {
      expect(typeof expected).toBe("function");
      if (typeof expected === "function") expected();
    } else if (outcome === "precondition") expect(expected).toBe("precondition");
    else expect(outcome === "full" ? world.full.size : world.away.size).toBeGreaterThan(0);
    await compare(coordinator, world, model);
  }
  world.away.clear();
  world.full.clear();
  return coordinator;
}

test("clients see the last acknowledged state through outages, full vaults and restarts, and no deletion is undone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const world = newWorld();
      const model = new Map<string, string>();
      const coordinator = await run(world, steps, model);
      expect((await listAll(coordinator.verbs, "", 1000)).flat()).toEqual(byKey(model));
    }),
    { numRuns: 150 },
  );
});

test("a list in pages shows every key once and in order, with any prefix and page size", async () => {
  const prefix = fc.constantFrom("", "key", "key-c", "none");
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 60 }),
      prefix,
      fc.integer({ min: 1, max: 6 }),
      async (steps, wanted, keyCountMax) => {
        const world = newWorld();
        const model = new Map<string, string>();
        const { verbs } = await run(world, steps, model);
        expect((await listAll(verbs, wanted, keyCountMax)).flat()).toEqual(byKey(model, wanted));
      },
    ),
    { numRuns: 80 },
  );
});

test("once all vaults answer again, nothing remains of replaced and deleted versions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const world = newWorld();
      const marker = { bucket: ".buckets", key: BUCKET, bytes: Buffer.alloc(0), etag: "" };
      await world.vaults[0]?.put({ ...marker, contentType: "", metadata: {} }, NONE, how);
      const model = new Map<string, string>();
      await run(world, steps, model);
      // The queues of a coordinator end with it.
      const { leftovers, verbs } = newCoordinator(world);
      const isWalked = () => leftovers.walkCount > 1 && leftovers.waitingCount === 0;
      for (let count = 0; count < 50 && !isWalked(); count += 1) await leftovers.turn();
      expect((await listAll(verbs, "", 1000)).flat()).toEqual(byKey(model));
      for (const vault of world.vaults) expect(vault.keysIn(".buckets")).toEqual([BUCKET]);
      const held = world.vaults.flatMap((vault, at) => vault.keysIn(BUCKET).map((key) => ({ key, at })));
      for (const { key } of held) {
        const home = segmentsOf(world.book, { bucket: BUCKET, key })[0]?.vault;
        const places = held.filter((each) => each.key === key).map(({ at }) => at);
        const isWrittenHere = (await world.vaults[home as number]?.head(BUCKET, key))?.etag.endsWith(
          `~${currentEpoch(world.book).number}`,
        );
        if (isWrittenHere) expect(places).toEqual([home]);
      }
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["takes a bucket while another vault takes objects", true, "created"],
  ["refuses a bucket when no other vault has space either", false, "full"],
])("a full first vault %s", async (_, hasOtherRoom, outcome) => {
  const world = newWorld();
  const [first] = world.vaults;
  const put = first?.put as VaultVerbs["put"];
  const asked: (boolean | undefined)[] = [];
  Object.assign(first as object, {
    put: (async (object, condition, options) => {
      asked.push(options.isVital);
      if (options.isVital !== true) throw new VaultError("full");
      return await put(object, condition, options);
    }) satisfies VaultVerbs["put"],
  });
  const { verbs } = newCoordinator(world, 0, async () => hasOtherRoom);
  const marker = { bucket: ".buckets", key: BUCKET, bytes: Buffer.alloc(0), etag: "e" };
  const created = verbs.put({ ...marker, contentType: "", metadata: {} }, { type: "absent" }, how);
  expect(
    await created.then(
      () => "created",
      ({ code }) => code,
    ),
  ).toBe(outcome);
  expect(asked).toEqual(hasOtherRoom ? [undefined, true] : [undefined]);
  for (const vault of world.vaults) {
    expect(vault.keysIn(".buckets")).toEqual(hasOtherRoom ? [BUCKET] : []);
  }
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "one of several writers that create the same key at the same time succeeds (seed %i)",
  async (seed) => {
    const world = newWorld();
    const epoch = { weights: [200, 500, 500], reason: "joined" as const, sinceMs: 0 };
    world.book = withEpoch(withEpoch(world.book, epoch), { ...epoch, weights: [500, 0, 200] });
    for (const [at, vault] of world.vaults.entries()) {
      let turn = seed * 7 + at;
      vault.before = async () => {
        turn = (turn * 31 + 17) % 101;
        for (let wait = turn % 5; wait > 0; wait -= 1) await null;
      };
    }
    for (const key of keys) {
      const writers = Array.from({ length: 4 }, (_, at) =>
        newCoordinator(world).verbs.put(objectOf(key, `by-${at}`), { type: "absent" }, how),
      );
      const outcomes = await Promise.all(writers.map(outcomeOf));
      expect(outcomes.toSorted()).toEqual(["done", "precondition", "precondition", "precondition"]);
      const winner = outcomes.indexOf("done");
      expect((await newCoordinator(world).verbs.head(BUCKET, key))?.etag).toBe(`by-${winner}`);
    }
  },
);

test("a bounded number of uploads wait for a vault that is away, and others are refused at once", async () => {
  const world = newWorld();
  world.away.add(0);
  const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>();
  const waiting = { mayBeTakenOver: () => true, wait: () => isBack };
  const { verbs } = newCoordinator(world, 0, async () => false, waiting);
  const refused: string[] = [];
  const outcomes = Array.from({ length: WAITING_WRITES_MAX + 8 }, async (_, at) => {
    const outcome = await outcomeOf(verbs.put(objectOf(`upload-${at}`, "e"), NONE, how));
    if (outcome !== "done") refused.push(outcome);
    return outcome;
  });
  while (refused.length < 8) await new Promise((resolve) => setImmediate(resolve));
  world.away.clear();
  comeBack();
  const done = (await Promise.all(outcomes)).filter((outcome) => outcome === "done");
  expect([done.length, refused]).toEqual([WAITING_WRITES_MAX, Array(8).fill("unavailable")]);
});

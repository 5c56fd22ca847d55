/**
 * The book of epochs: the vaults behind the endpoint, and the weight of each by epoch. It is a record in the first
 * vault, whose conditional writes decide between coordinators. An epoch is agreed by all coordinators before the first
 * of them writes by it:
 *
 *     proposed --each has seen it--> seen by all --each has stopped writing the keys that move--> an epoch of the book
 *         '----------------------- withdrawn, when a coordinator does not follow in time -----'
 *
 * Until every coordinator has seen a proposal no write waits for it, so one that is down keeps an epoch from beginning
 * and nothing else. Epochs that nothing distinguishes are merged (epoch-merging.ts).
 * docs/decisions/0015-place-keys-by-agreed-epochs.md has the reasons.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { mergeEpochs } from "./epoch-merging.ts";

/** Weights are whole numbers, so that all coordinators compute with the same. */
export const WEIGHT_SUM = 1000;
/** A chain of homes is computed for every key, and the book is read as a whole. */
export const EPOCH_COUNT_MAX = 128;
/** The times of more epochs than this do not lengthen the rest before the next one (desired-weights.ts). */
const RECENT_EPOCH_COUNT = 8;
const VAULT_COUNT_MAX = 16;
const COORDINATOR_COUNT_MAX = 64;

const reason = z.enum(["first", "joined", "full", "unreachable", "back", "space"]);
const weightsSchema = z.array(z.int().min(0).max(WEIGHT_SUM)).min(1).max(VAULT_COUNT_MAX);

const terms = {
  /** By the vault's index in the book; 0 for vaults that take no new keys. */
  weights: weightsSchema,
  reason,
  sinceMs: z.number(),
};
const coordinatorIds = z.array(z.string()).max(COORDINATOR_COUNT_MAX);

const common = {
  /** In the order in which they joined; a vault keeps its index for ever. */
  vaults: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .min(1)
    .max(VAULT_COUNT_MAX),
  coordinatorIds,
  proposal: z.strictObject({ ...terms, seenBy: coordinatorIds, agreedBy: coordinatorIds }).nullable(),
};

/** The format until epochs are merged: the number of an epoch is its place, and the first is 1. */
const unmergedSchema = z.strictObject({
  formatVersion: z.literal(1),
  ...common,
  epochs: z.array(z.strictObject(terms)).min(1).max(EPOCH_COUNT_MAX),
});

const epochSchema = z.strictObject({
  /** Versions carry it, so it stays when epochs before it are merged. */
  number: z.int().min(1),
  ...terms,
  /** Least weight of each vault in the merged epochs, `weights` being the greatest; absent where all had the same. */
  leastWeights: weightsSchema.optional(),
});

const mergedSchema = z
  .strictObject({
    formatVersion: z.literal(2),
    ...common,
    epochs: z.array(epochSchema).min(1).max(EPOCH_COUNT_MAX),
    /** Starts of the latest epochs, including those that were merged. */
    recentMs: z.array(z.number()).max(RECENT_EPOCH_COUNT),
    /** Why each vault takes no new keys; null for one that does, and for one that never has. */
    passedOver: z.array(z.enum(["full", "unreachable"]).nullable()).max(VAULT_COUNT_MAX),
  })
  .refine(
    ({ epochs }) =>
      epochs.every(({ number }, at) => at === 0 || number > (epochs[at - 1] as { number: number }).number) &&
      epochs.at(-1)?.leastWeights === undefined,
    "Epochs are numbered in order, and the current one has exact weights.",
  );

type StoredLedger = z.infer<typeof unmergedSchema> | z.infer<typeof mergedSchema>;
/** A book of either format has the fields of the later one in memory. */
export type EpochLedger = Omit<z.infer<typeof mergedSchema>, "formatVersion"> &
  Pick<StoredLedger, "formatVersion">;
export type Epoch = EpochLedger["epochs"][number];
type Terms = Pick<Epoch, "weights" | "reason" | "sinceMs">;

/** A book of the longest size is always replaced by one of the same size, which a full vault takes. */
const BOOK_BYTES = 65_536;

export function packLedger(book: EpochLedger): Buffer {
  const text = JSON.stringify(book.formatVersion === 1 ? unmerged(book) : mergedSchema.parse(book));
  if (Buffer.byteLength(text) > BOOK_BYTES) throw new RangeError("The book of epochs is too long.");
  return Buffer.from(text.padEnd(BOOK_BYTES));
}

/** Throws when the bytes are no book. */
export function parseLedger(bytes: Uint8Array): EpochLedger {
  const stored = z
    .discriminatedUnion("formatVersion", [unmergedSchema, mergedSchema])
    .parse(JSON.parse(Buffer.from(bytes).toString()));
  return stored.formatVersion === 1 ? { ...stored, ...accountOf(stored.epochs) } : stored;
}

/** The first format, which coordinators of earlier versions read. */
function unmerged({ epochs, recentMs, passedOver, ...book }: EpochLedger): z.infer<typeof unmergedSchema> {
  assert(
    epochs.every(({ number, leastWeights }, at) => number === at + 1 && leastWeights === undefined),
    "Epochs of a book of the first format are not merged.",
  );
  const plain = epochs.map(({ weights, reason: why, sinceMs }) => ({ weights, reason: why, sinceMs }));
  return unmergedSchema.parse({ ...book, epochs: plain });
}

type Account = Pick<EpochLedger, "epochs" | "recentMs" | "passedOver">;
const NO_EPOCHS: Account = { epochs: [], recentMs: [], passedOver: [] };

/** Epochs as a book holds them before any is merged. */
export function accountOf(epochs: readonly Terms[]): Account {
  return epochs.reduce(append, NO_EPOCHS);
}

function append(
  { epochs, recentMs, passedOver }: Account,
  { weights, reason: why, sinceMs }: Terms,
): Account {
  const before = epochs.at(-1);
  const closing = why === "unreachable" ? why : "full";
  return {
    epochs: [...epochs, { number: (before?.number ?? 0) + 1, weights, reason: why, sinceMs }],
    recentMs: [...recentMs, sinceMs].slice(-RECENT_EPOCH_COUNT),
    passedOver: weights.map((weight, vault) => {
      if (weight > 0) return null;
      return (before?.weights[vault] ?? 0) > 0 ? closing : (passedOver[vault] ?? null);
    }),
  };
}

/** Appends an epoch; a book of the later format merges those that it need not distinguish. */
export function withEpoch(book: EpochLedger, epoch: Terms): EpochLedger {
  const account = append(book, epoch);
  if (book.formatVersion === 1) return { ...book, ...account };
  return { ...book, ...account, epochs: mergeEpochs(account.epochs) };
}

/** True for a book in the format of earlier versions that merging would shorten. */
export function isMergeable({ formatVersion, epochs }: EpochLedger): boolean {
  return formatVersion === 1 && mergeEpochs(epochs).length < epochs.length;
}

/** The book in the format whose epochs are merged; coordinators of earlier versions cannot read it. */
export function merge(book: EpochLedger): EpochLedger {
  return { ...book, formatVersion: 2, epochs: mergeEpochs(book.epochs) };
}

export function firstLedger(
  vault: EpochLedger["vaults"][number],
  coordinators: readonly string[],
  nowMs: number,
): EpochLedger {
  return {
    formatVersion: 1,
    vaults: [vault],
    coordinatorIds: [...coordinators],
    ...accountOf([{ weights: [WEIGHT_SUM], reason: "first", sinceMs: nowMs }]),
    proposal: null,
  };
}

export const currentEpoch = ({ epochs }: EpochLedger): Epoch => epochs.at(-1) as Epoch;

/** True if an epoch gave the vault with this index keys to take. */
export function hasTakenKeys(book: EpochLedger | null, vault: number): boolean {
  return book?.epochs.some(({ weights }) => (weights[vault] ?? 0) > 0) === true;
}

/** Adds vaults that the book does not have yet; they take nothing until an epoch gives them a weight. */
export function withVaults(book: EpochLedger, vaults: readonly EpochLedger["vaults"][number][]): EpochLedger {
  const missing = vaults.filter(({ id }) => !book.vaults.some((known) => known.id === id));
  return missing.length === 0 ? book : { ...book, vaults: [...book.vaults, ...missing] };
}

/** Coordinators come and go with the vault's file; a proposal under way has to be agreed by all of the new ones. */
export function withCoordinators(book: EpochLedger, ids: readonly string[]): EpochLedger {
  const known = new Set(book.coordinatorIds);
  if (ids.length === known.size && ids.every((id) => known.has(id))) return book;
  return { ...book, coordinatorIds: [...ids], proposal: null };
}

export function propose(
  book: EpochLedger,
  { weights, reason: why }: Pick<Epoch, "weights" | "reason">,
  nowMs: number,
): EpochLedger {
  if (book.epochs.length >= EPOCH_COUNT_MAX) return book;
  return { ...book, proposal: { weights, reason: why, sinceMs: nowMs, seenBy: [], agreedBy: [] } };
}

export function see(book: EpochLedger, coordinatorId: string): EpochLedger {
  const { proposal } = book;
  if (proposal === null || proposal.seenBy.includes(coordinatorId)) return book;
  return { ...book, proposal: { ...proposal, seenBy: [...proposal.seenBy, coordinatorId] } };
}

export function isSeenByAll({ proposal, coordinatorIds: all }: EpochLedger): boolean {
  return proposal !== null && all.every((id) => proposal.seenBy.includes(id));
}

/** The last coordinator that agrees makes it an epoch. */
export function agree(book: EpochLedger, coordinatorId: string, nowMs: number): EpochLedger {
  const { proposal } = book;
  if (proposal === null || !isSeenByAll(book) || proposal.agreedBy.includes(coordinatorId)) return book;
  const agreedBy = [...proposal.agreedBy, coordinatorId];
  if (!book.coordinatorIds.every((id) => agreedBy.includes(id))) {
    return { ...book, proposal: { ...proposal, agreedBy } };
  }
  return { ...withEpoch(book, { ...proposal, sinceMs: nowMs }), proposal: null };
}

export function withdraw(book: EpochLedger): EpochLedger {
  return book.proposal === null ? book : { ...book, proposal: null };
}

/** The book as if its proposal were an epoch already; the book itself when there is none. */
export function withProposal(book: EpochLedger): EpochLedger {
  return book.proposal === null ? book : withEpoch(book, book.proposal);
}

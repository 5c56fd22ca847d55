/**
 * The ledger of epochs: the vaults behind the endpoint, and each one's weight by epoch. It is a record in the first
 * vault, whose conditional writes decide between coordinators. All coordinators agree to an epoch before the first of
 * them writes by it:
 *
 *     proposed --each has seen it--> seen by all --each has stopped writing the keys that move--> an epoch
 *         '----------------------- withdrawn, when a coordinator does not follow in time -----'
 *
 * No write waits for a proposal before every coordinator has seen it, so a coordinator that is down only delays the
 * next epoch. Epochs that need not be distinguished are merged (epoch-merging.ts).
 * docs/decisions/0015-place-keys-by-agreed-epochs.md has the reasons.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { mergeEpochs } from "./epoch-merging.ts";

/** Sum of an epoch's weights, which are integers so that all coordinators compute the same homes. */
export const WEIGHT_SUM = 1000;
/** Limited because every key needs a chain of homes, and the ledger is read as a whole. */
export const EPOCH_COUNT_MAX = 128;
/** Limit on the recent epochs that lengthen the pause before the next one (desired-weights.ts). */
const RECENT_EPOCH_COUNT = 8;
const VAULT_COUNT_MAX = 16;
const COORDINATOR_COUNT_MAX = 64;

const reason = z.enum(["first", "joined", "full", "unreachable", "back", "space"]);
const weightsSchema = z.array(z.int().min(0).max(WEIGHT_SUM)).min(1).max(VAULT_COUNT_MAX);

const terms = {
  /** Indexed by the vault's index in the ledger; 0 for vaults that get no new keys. */
  weights: weightsSchema,
  reason,
  sinceMs: z.number(),
};
const coordinatorIds = z.array(z.string()).max(COORDINATOR_COUNT_MAX);

const common = {
  /** In joining order; a vault keeps its index forever. */
  vaults: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .min(1)
    .max(VAULT_COUNT_MAX),
  coordinatorIds,
  proposal: z.strictObject({ ...terms, seenBy: coordinatorIds, agreedBy: coordinatorIds }).nullable(),
};

/** Format until epochs are merged: an epoch's number is its position, from 1. */
const unmergedSchema = z.strictObject({
  formatVersion: z.literal(1),
  ...common,
  epochs: z.array(z.strictObject(terms)).min(1).max(EPOCH_COUNT_MAX),
});

const epochSchema = z.strictObject({
  /** Versions carry the number, so it stays when earlier epochs are merged. */
  number: z.int().min(1),
  ...terms,
  /** Least weight of each vault among the merged epochs, while `weights` has the greatest; absent if all were equal. */
  leastWeights: weightsSchema.optional(),
});

const mergedSchema = z
  .strictObject({
    formatVersion: z.literal(2),
    ...common,
    epochs: z.array(epochSchema).min(1).max(EPOCH_COUNT_MAX),
    /** Start times of the latest epochs, including merged ones. */
    recentMs: z.array(z.number()).max(RECENT_EPOCH_COUNT),
    /** Reason why each vault gets no new keys; null for a vault that gets them, and for one that never has. */
    passedOver: z.array(z.enum(["full", "unreachable"]).nullable()).max(VAULT_COUNT_MAX),
  })
  .refine(
    ({ epochs }) =>
      epochs.every(({ number }, at) => at === 0 || number > (epochs[at - 1] as { number: number }).number) &&
      epochs.at(-1)?.leastWeights === undefined,
    "Epochs are numbered in order, and the current one has exact weights.",
  );

type StoredLedger = z.infer<typeof unmergedSchema> | z.infer<typeof mergedSchema>;
/** In memory, a ledger of either format has the fields of the later one. */
export type EpochLedger = Omit<z.infer<typeof mergedSchema>, "formatVersion"> &
  Pick<StoredLedger, "formatVersion">;
export type Epoch = EpochLedger["epochs"][number];
type Terms = Pick<Epoch, "weights" | "reason" | "sinceMs">;

/** Fixed size, so that a full vault can always replace the ledger. */
const BOOK_BYTES = 65_536;

export function packLedger(book: EpochLedger): Buffer {
  const text = JSON.stringify(book.formatVersion === 1 ? unmerged(book) : mergedSchema.parse(book));
  if (Buffer.byteLength(text) > BOOK_BYTES) throw new RangeError("The ledger of epochs is too long.");
  return Buffer.from(text.padEnd(BOOK_BYTES));
}

/** Throws if the bytes are not a ledger. */
export function parseLedger(bytes: Uint8Array): EpochLedger {
  const stored = z
    .discriminatedUnion("formatVersion", [unmergedSchema, mergedSchema])
    .parse(JSON.parse(Buffer.from(bytes).toString()));
  return stored.formatVersion === 1 ? { ...stored, ...accountOf(stored.epochs) } : stored;
}

/** Converts to the first format, which coordinators of earlier versions can read. */
function unmerged({ epochs, recentMs, passedOver, ...book }: EpochLedger): z.infer<typeof unmergedSchema> {
  assert(
    epochs.every(({ number, leastWeights }, at) => number === at + 1 && leastWeights === undefined),
    "Epochs of a ledger in the first format are not merged.",
  );
  const plain = epochs.map(({ weights, reason: why, sinceMs }) => ({ weights, reason: why, sinceMs }));
  return unmergedSchema.parse({ ...book, epochs: plain });
}

type Account = Pick<EpochLedger, "epochs" | "recentMs" | "passedOver">;
const NO_EPOCHS: Account = { epochs: [], recentMs: [], passedOver: [] };

/** Fields of a ledger before any epochs are merged. */
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

/** Appends an epoch; in the later format, merges epochs that need not be distinguished. */
export function withEpoch(book: EpochLedger, epoch: Terms): EpochLedger {
  const account = append(book, epoch);
  if (book.formatVersion === 1) return { ...book, ...account };
  return { ...book, ...account, epochs: mergeEpochs(account.epochs) };
}

/** True for a ledger in the earlier format that merging would shorten. */
export function isMergeable({ formatVersion, epochs }: EpochLedger): boolean {
  return formatVersion === 1 && mergeEpochs(epochs).length < epochs.length;
}

/** Converts to the merged format, which coordinators of earlier versions cannot read. */
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

/** True if any epoch gave keys to the vault with this index. */
export function hasTakenKeys(book: EpochLedger | null, vault: number): boolean {
  return book?.epochs.some(({ weights }) => (weights[vault] ?? 0) > 0) === true;
}

/** Adds new vaults, which get no keys until an epoch gives them a weight. */
export function withVaults(book: EpochLedger, vaults: readonly EpochLedger["vaults"][number][]): EpochLedger {
  const missing = vaults.filter(({ id }) => !book.vaults.some((known) => known.id === id));
  return missing.length === 0 ? book : { ...book, vaults: [...book.vaults, ...missing] };
}

/**
 * Replaces the coordinators with those in the vault's file, and withdraws a proposal in progress, which all of the new
 * ones would have to agree to.
 */
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

/** Records an agreement; the last one turns the proposal into an epoch. */
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

/** Returns the ledger as if its proposal were already an epoch; unchanged without a proposal. */
export function withProposal(book: EpochLedger): EpochLedger {
  return book.proposal === null ? book : withEpoch(book, book.proposal);
}

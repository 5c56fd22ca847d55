/**
 * The book of epochs: which vaults stand behind the endpoint, and the weight of each by epoch. It is a record in the
 * first vault, whose conditional writes decide between coordinators. An epoch is agreed by all coordinators before the
 * first of them writes by it:
 *
 *     proposed --each has seen it--> seen by all --each has stopped writing the keys that move--> an epoch of the book
 *         '----------------------- withdrawn, when a coordinator does not follow in time -----'
 *
 * Until every coordinator has seen a proposal no write waits for it, so one that is down keeps an epoch from beginning
 * and nothing else. decisions/0014 says why it is so.
 */
import { z } from "zod";

/** Weights are whole numbers, so that all coordinators compute with the same. */
export const WEIGHT_SUM = 1000;
/** A chain of homes is computed for every key, and the book is read as a whole. */
export const EPOCH_COUNT_MAX = 128;
const VAULT_COUNT_MAX = 16;
const COORDINATOR_COUNT_MAX = 64;

const reason = z.enum(["first", "joined", "full", "unreachable", "back", "space"]);

const terms = {
  /** By the vault's index in the book; 0 for vaults that take no new keys. */
  weights: z.array(z.int().min(0).max(WEIGHT_SUM)).min(1).max(VAULT_COUNT_MAX),
  reason,
  sinceMs: z.number(),
};
const coordinatorIds = z.array(z.string()).max(COORDINATOR_COUNT_MAX);

const bookSchema = z.strictObject({
  formatVersion: z.literal(1),
  /** In the order in which they joined; a vault keeps its index for ever. */
  vaults: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .min(1)
    .max(VAULT_COUNT_MAX),
  coordinatorIds,
  epochs: z.array(z.strictObject(terms)).min(1).max(EPOCH_COUNT_MAX),
  proposal: z.strictObject({ ...terms, seenBy: coordinatorIds, agreedBy: coordinatorIds }).nullable(),
});

export type Book = z.infer<typeof bookSchema>;
export type Epoch = Book["epochs"][number];

/** A book of the longest size is always replaced by one of the same size, which a full vault takes. */
const BOOK_BYTES = 65_536;

export function packBook(book: Book): Buffer {
  const text = JSON.stringify(bookSchema.parse(book));
  if (Buffer.byteLength(text) > BOOK_BYTES) throw new RangeError("The book of epochs is too long.");
  return Buffer.from(text.padEnd(BOOK_BYTES));
}

/** Throws when the bytes are no book. */
export function parseBook(bytes: Uint8Array): Book {
  return bookSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
}

export function firstBook(
  vault: Book["vaults"][number],
  coordinators: readonly string[],
  nowMs: number,
): Book {
  return {
    formatVersion: 1,
    vaults: [vault],
    coordinatorIds: [...coordinators],
    epochs: [{ weights: [WEIGHT_SUM], reason: "first", sinceMs: nowMs }],
    proposal: null,
  };
}

export const currentEpoch = ({ epochs }: Book): Epoch => epochs.at(-1) as Epoch;

/** Whether an epoch gave the vault with this index keys to take. */
export function hasTakenKeys(book: Book | null, vault: number): boolean {
  return book?.epochs.some(({ weights }) => (weights[vault] ?? 0) > 0) === true;
}

/** Adds vaults that the book does not have yet; they take nothing until an epoch gives them a weight. */
export function withVaults(book: Book, vaults: readonly Book["vaults"][number][]): Book {
  const missing = vaults.filter(({ id }) => !book.vaults.some((known) => known.id === id));
  return missing.length === 0 ? book : { ...book, vaults: [...book.vaults, ...missing] };
}

/** Coordinators come and go with the vault's file; a proposal under way has to be agreed by all of the new ones. */
export function withCoordinators(book: Book, ids: readonly string[]): Book {
  const known = new Set(book.coordinatorIds);
  if (ids.length === known.size && ids.every((id) => known.has(id))) return book;
  return { ...book, coordinatorIds: [...ids], proposal: null };
}

export function propose(
  book: Book,
  { weights, reason: why }: Pick<Epoch, "weights" | "reason">,
  nowMs: number,
): Book {
  if (book.epochs.length >= EPOCH_COUNT_MAX) return book;
  return { ...book, proposal: { weights, reason: why, sinceMs: nowMs, seenBy: [], agreedBy: [] } };
}

export function see(book: Book, coordinatorId: string): Book {
  const { proposal } = book;
  if (proposal === null || proposal.seenBy.includes(coordinatorId)) return book;
  return { ...book, proposal: { ...proposal, seenBy: [...proposal.seenBy, coordinatorId] } };
}

export function isSeenByAll({ proposal, coordinatorIds: all }: Book): boolean {
  return proposal !== null && all.every((id) => proposal.seenBy.includes(id));
}

/** The last coordinator that agrees makes it an epoch. */
export function agree(book: Book, coordinatorId: string, nowMs: number): Book {
  const { proposal } = book;
  if (proposal === null || !isSeenByAll(book) || proposal.agreedBy.includes(coordinatorId)) return book;
  const agreedBy = [...proposal.agreedBy, coordinatorId];
  if (!book.coordinatorIds.every((id) => agreedBy.includes(id))) {
    return { ...book, proposal: { ...proposal, agreedBy } };
  }
  const epoch = { weights: proposal.weights, reason: proposal.reason, sinceMs: nowMs };
  return { ...book, epochs: [...book.epochs, epoch], proposal: null };
}

export function withdraw(book: Book): Book {
  return book.proposal === null ? book : { ...book, proposal: null };
}

/** The book as if its proposal were an epoch already; the book itself when there is none. */
export function withProposal(book: Book): Book {
  const { proposal } = book;
  if (proposal === null) return book;
  const { weights, reason: why, sinceMs } = proposal;
  return { ...book, epochs: [...book.epochs, { weights, reason: why, sinceMs }] };
}

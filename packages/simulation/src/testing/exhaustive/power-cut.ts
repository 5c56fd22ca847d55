/**
 * Enumerates the images that a power cut may leave. Durable records remain; of every other record (in the page cache,
 * waiting for a group commit, being synced, or killed before the kill reached the medium) each subset may remain.
 */
import type { Refusal, Shard } from "@stashlight/write-path";
import { nodeAddress } from "./addresses.ts";
import { canonicalText } from "./canonical-text.ts";
import type { Ledger } from "./ledger.ts";
import type { Kept, Node } from "./node.ts";
import { POD_COUNT } from "./scenario.ts";

/** A storage node, and the number of its medium. */
export interface Stored {
  readonly node: Node;
  medium: number;
}

/** One image of the vault after a power cut: pods first, then stash devices. */
export interface Image {
  readonly kept: readonly Kept[];
  readonly ledger: Ledger;
  readonly text: string;
}

/** Returns the part of a medium that matters to a power cut, as text. */
function mediumText(node: Node): string {
  const mark = ({ isCertain }: MaybeLeft<unknown>) => (isCertain ? "!" : "?");
  const shards = shardsOn(node).map((left) => `${canonicalText(left.item)}${mark(left)}`);
  const refusals = refusalsOn(node).map((left) => `${refusalText(left.item)}${mark(left)}`);
  return `${shards.sort()}|${refusals.sort()}`;
}

interface MaybeLeft<Item> {
  readonly item: Item;
  readonly isCertain: boolean;
}

/** The log returns one record per name, however many times it was written. */
function shardsOn({ records }: Node): MaybeLeft<Shard>[] {
  return onceEach(
    records.map(({ shard, state }) => ({ item: shard, isCertain: state === "durable" })),
    ({ upload, shardIndex }) => `${upload.uploadId}.${shardIndex}`,
  );
}

function refusalsOn({ promises }: Node): MaybeLeft<Refusal>[] {
  return onceEach(
    promises.map(({ refusal, isDurable }) => ({ item: refusal, isCertain: isDurable })),
    refusalText,
  );
}

function onceEach<Item>(all: readonly MaybeLeft<Item>[], nameOf: (item: Item) => string): MaybeLeft<Item>[] {
  const byName = new Map<string, MaybeLeft<Item>>();
  for (const left of all) {
    const name = nameOf(left.item);
    if (left.isCertain || !byName.has(name)) byName.set(name, left);
  }
  return [...byName.values()];
}

function refusalText({ uploadId, isKnowing }: Refusal): string {
  return `${uploadId[0]}${isKnowing ? " knowing" : ""}`;
}

/** Possible leftovers on one medium, with a text for each way to name the pods. */
interface Leftover {
  readonly kept: Kept;
  /** Equal leftovers have equal numbers. */
  readonly id: number;
  readonly texts: readonly string[];
}

/** All ways to rename three pods: the new name of each. */
const RENAMINGS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

function keptText({ shards, refusals }: Kept, names: readonly number[]): string {
  const shardNames = shards.map(({ upload, shardIndex }) => `${upload.uploadId[0]}${names[shardIndex]}`);
  return `${shardNames.sort()}|${refusals.map(refusalText).sort()}`;
}

/**
 * Recovery calls pods and devices by their numbers and draws no conclusion from them (it places nothing), so images
 * that differ only in names are equal. Returns the alphabetically first of all texts that the image can be given.
 */
function leftoverText(left: readonly Leftover[]): string {
  const texts = RENAMINGS.map((names, renaming) => {
    const pods: string[] = [];
    names.forEach((name, podIndex) => {
      pods[name] = left[podIndex]?.texts[renaming] ?? "";
    });
    const devices = left.slice(POD_COUNT).map(({ texts }) => texts[renaming] ?? "");
    return [...pods, ...devices.sort()].join(";");
  });
  return texts.sort()[0] ?? "";
}

function survivingSubsets(node: Node): Kept[] {
  const refusals = subsets(refusalsOn(node));
  return subsets(shardsOn(node)).flatMap((shards) =>
    refusals.map((promised) => ({ shards, refusals: promised })),
  );
}

function subsets<T>(items: readonly MaybeLeft<T>[]): T[][] {
  return items.reduce<T[][]>(
    (sets, { item, isCertain }) => [...(isCertain ? [] : sets), ...sets.map((set) => [...set, item])],
    [[]],
  );
}

/** Describes the records and promises of each pod and device for a story. */
export function describeImage({ kept }: Image): string {
  const nodes = kept.flatMap((each, i) => {
    const [shards = "", refusals = ""] = keptText(each, RENAMINGS[0]).split("|");
    const words = [
      shards.replaceAll(",", " "),
      ...(refusals === "" ? [] : [`a promise not to take ${refusals}`]),
    ];
    const text = words.filter((word) => word !== "").join(" and ");
    return text === "" ? [] : [`${nodeAddress(i + 1)} with ${text}`];
  });
  return nodes.length === 0 ? "nothing" : nodes.join(", ");
}

/** Media of one search. Each is converted to text only once. */
export class Media {
  readonly #mediumIds = new Map<string, number>();
  readonly #leftoverIds = new Map<string, number>();
  readonly #leftovers = new Map<number, readonly Leftover[]>();
  readonly #met = new Set<string>();

  /** Equal media have equal numbers. */
  idOf(node: Node): number {
    return internText(this.#mediumIds, mediumText(node));
  }

  /**
   * Returns the images of these media that were not requested before. Their texts omit the version orders themselves
   * and record only whether the second upload's is the lower one: recovery only compares orders.
   */
  newImagesOf(storage: readonly Stored[], ledger: Ledger): Image[] {
    const uploads = [
      ...storage.flatMap(({ node }) => node.records.map(({ shard }) => shard.upload)),
      ...ledger.promised,
    ];
    const isSwapped = uploads.some((a) => uploads.some((b) => a.uploadId < b.uploadId && a.order > b.order));
    const told = JSON.stringify([ledger.promised.map(({ uploadId }) => uploadId), ledger.gone, ledger.seen]);
    const start = `${isSwapped ? "swapped " : ""}${told};`;
    const atRest = { ...ledger, floors: [] };
    const combinations = storage.reduce<Leftover[][]>(
      (found, stored) => {
        const choices = this.#leftoversOf(stored);
        return found.flatMap((left) => choices.map((choice) => [...left, choice]));
      },
      [[]],
    );
    return combinations.flatMap((left): Image[] => {
      if (!this.#isNew(start + left.map(({ id }) => id))) return [];
      const text = start + leftoverText(left);
      return this.#isNew(text) ? [{ kept: left.map(({ kept }) => kept), ledger: atRest, text }] : [];
    });
  }

  #leftoversOf({ node, medium }: Stored): readonly Leftover[] {
    const known = this.#leftovers.get(medium);
    if (known) return known;
    const found = survivingSubsets(node).map((kept) => {
      const texts = RENAMINGS.map((names) => keptText(kept, names));
      return { kept, texts, id: internText(this.#leftoverIds, texts[0] ?? "") };
    });
    this.#leftovers.set(medium, found);
    return found;
  }

  #isNew(text: string): boolean {
    const sizeBefore = this.#met.size;
    return this.#met.add(text).size > sizeBefore;
  }
}

function internText(ids: Map<string, number>, text: string): number {
  const id = ids.get(text) ?? ids.size;
  ids.set(text, id);
  return id;
}

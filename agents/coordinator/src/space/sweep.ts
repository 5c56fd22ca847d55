/**
 * Finds unreferenced bodies that no collector has queued: those in the queue of a killed coordinator, those whose
 * upload ended with a crash, and those left by a race between two writers. The sweep repeatedly walks through all
 * pieces of the vault, page by page, and rests several times as long as it works. A body is collected when it has been
 * unreferenced, unheld and unchanged for the sweep's grace, counted from when this process first saw it in that state
 * (timing.ts explains why that is safe).
 */
import type { UploadHeader } from "@stashlight/write-path";
import { PIECES } from "../records/pieces.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import {
  type Body,
  findUnreferenced,
  isHeld,
  ownerOf,
  pieceCountOf,
  type UnreferencedBody,
} from "./bodies.ts";
import type { Collector } from "./collector.ts";
import type { LargeNames } from "./large-names.ts";
import type { Holds } from "./large-object-holds.ts";
import type { LeaseBook } from "./lease-book.ts";
import type { SpaceTiming } from "./timing.ts";

export interface SweepOptions {
  readonly vault: VaultVerbs;
  readonly collector: Collector;
  readonly holds: Holds;
  readonly leases: LeaseBook;
  readonly largeNames: LargeNames;
  readonly timing: SpaceTiming;
  readonly nowMs: () => number;
}

/** A body that was unreferenced when last seen. */
interface Suspect {
  readonly pieceCount: number;
  readonly sinceMs: number;
  readonly pass: number;
}

const PAGE_KEY_COUNT = 1000;
/** Limited because each body costs several reads of the vault. */
const STEP_BODY_COUNT_MAX = 50;
/** After a step of 10 ms the sweep pauses for 40 ms, so it works for at most a fifth of the time. */
const REST_FACTOR = 4;
/** Suspects beyond this limit are found again in a later pass. */
const SUSPECT_COUNT_MAX = 10_000;

export class Sweep {
  readonly #options: SweepOptions;
  readonly #suspects = new Map<string, Suspect>();
  #pass: { readonly number: number; readonly startMs: number; readonly bodies: BodyPages } | null = null;
  #passCount = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** Number of passes that have seen every piece. */
  get passCount(): number {
    return this.#passCount;
  }

  /** Does a small part of a pass if it is due. Rejects with a VaultError, after which the pass starts over. */
  async step(): Promise<void> {
    const { vault, leases, nowMs, timing } = this.#options;
    const startMs = nowMs();
    if (startMs < this.#restUntilMs) return;
    try {
      if (this.#pass === null) {
        this.#pass = { number: this.#passCount + 1, startMs, bodies: bodiesOf(vault) };
        // Reading also deletes stale leases, including those for objects that are never deleted.
        await leases.read();
      }
      const { bodies, isOver } = await nextBodies(this.#pass.bodies);
      await this.#judge(bodies, this.#pass.number);
      this.#restUntilMs = nowMs() + REST_FACTOR * (nowMs() - startMs);
      if (isOver) this.#endPass(this.#pass);
    } catch (error) {
      this.#pass = null;
      this.#restUntilMs = nowMs() + timing.sweepEveryMs;
      throw error;
    }
  }

  #endPass({ number, startMs }: { readonly number: number; readonly startMs: number }): void {
    const { nowMs, timing, largeNames } = this.#options;
    for (const [id, { pass }] of this.#suspects) if (pass < number) this.#suspects.delete(id);
    largeNames.startOver();
    this.#passCount = number;
    this.#pass = null;
    this.#restUntilMs = nowMs() + Math.max(timing.sweepEveryMs, nowMs() - startMs);
  }

  async #judge(bodies: readonly Body[], pass: number): Promise<void> {
    const { vault, collector, holds, leases, largeNames } = this.#options;
    for (const { owner } of bodies) largeNames.add(owner);
    const others = bodies.filter(({ list }) => !collector.isWaiting(list.id));
    const unreferenced = await findUnreferenced(vault, others);
    if (unreferenced.length === 0) return;
    const leased = await leases.read();
    const held = holds.byName();
    for (const body of unreferenced) {
      if (!isHeld(body, held) && !isHeld(body, leased)) this.#suspect(body, pass);
    }
  }

  #suspect({ list }: UnreferencedBody, pass: number): void {
    const { collector, nowMs, timing } = this.#options;
    const pieceCount = pieceCountOf(list);
    const before = this.#suspects.get(list.id);
    if (before === undefined || before.pieceCount !== pieceCount) {
      if (before === undefined && this.#suspects.size >= SUSPECT_COUNT_MAX) return;
      this.#suspects.set(list.id, { pieceCount, sinceMs: nowMs(), pass });
    } else if (nowMs() - before.sinceMs < timing.sweepGraceMs) {
      this.#suspects.set(list.id, { ...before, pass });
    } else {
      this.#suspects.delete(list.id);
      collector.add([list], 0);
    }
  }
}

/** Yields bodies one by one, and null where a page of the list ends. */
type BodyPages = AsyncGenerator<Body | null>;

/** Takes the bodies of one step, from at most one page. */
async function nextBodies(pages: BodyPages): Promise<{ bodies: Body[]; isOver: boolean }> {
  const bodies: Body[] = [];
  while (bodies.length < STEP_BODY_COUNT_MAX) {
    const next = await pages.next();
    if (next.done) return { bodies, isOver: true };
    if (next.value === null) break;
    bodies.push(next.value);
  }
  return { bodies, isOver: false };
}

/** Keys begin with the body's id, so the pieces of a body are consecutive. */
async function* bodiesOf(vault: VaultVerbs): BodyPages {
  let first: UploadHeader | null = null;
  let last: UploadHeader | null = null;
  for (let after = ""; ; ) {
    const page = await vault.list(PIECES, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
    for (const piece of page.uploads) {
      if (first !== null && last !== null && bodyIdOf(first) !== bodyIdOf(piece)) {
        yield bodyBetween(first, last);
        first = null;
      }
      first ??= piece;
      last = piece;
    }
    if (!page.isTruncated) break;
    after = page.uploads.at(-1)?.key ?? after;
    yield null;
  }
  if (first !== null && last !== null) yield bodyBetween(first, last);
}

const bodyIdOf = ({ key }: UploadHeader): string => key.slice(0, key.indexOf("/"));

/** All pieces but the last have the size of the first. */
function bodyBetween(first: UploadHeader, last: UploadHeader): Body {
  const lastIndex = Number(last.key.slice(last.key.indexOf("/") + 1));
  const pieceBytes = Math.max(1, first.sizeBytes);
  const sizeBytes = lastIndex * pieceBytes + last.sizeBytes;
  return { list: { id: bodyIdOf(first), sizeBytes, pieceBytes }, owner: ownerOf(first) };
}

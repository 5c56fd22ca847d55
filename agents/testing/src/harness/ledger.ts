/**
 * A client's knowledge of the keys that it wrote. A read must return an acknowledged version until a later one is
 * acknowledged. Whether a failed attempt took effect is unknown until a read shows it, and from then on must not
 * change.
 */
import { createCipheriv, createHash } from "node:crypto";

/** Possible content of a key: nothing, or the body made from this serial number. */
export type Content = { readonly type: "nothing" } | { readonly type: "body"; readonly serial: number };

interface Entry {
  certain: Content;
  /** Later attempts, in order. */
  readonly possible: Content[];
}

const NOTHING: Content = { type: "nothing" };

export type MakeBody = (key: string, serial: number) => Buffer;

export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #makeBody: MakeBody;
  #acknowledgedCount = 0;

  constructor(makeBody: MakeBody = contentBody) {
    this.#makeBody = makeBody;
  }

  get keys(): string[] {
    return [...this.#entries.keys()];
  }

  /** Keys that must hold an object. */
  get presentKeys(): string[] {
    return this.keys.filter((key) => {
      const { certain, possible } = this.#entry(key);
      return [certain, ...possible].every(({ type }) => type === "body");
    });
  }

  get acknowledgedCount(): number {
    return this.#acknowledgedCount;
  }

  #entry(key: string): Entry {
    const entry = this.#entries.get(key) ?? { certain: NOTHING, possible: [] };
    this.#entries.set(key, entry);
    return entry;
  }

  /** True if the key's content is unknown, because an attempt after the last certain one failed. */
  isUncertain(key: string): boolean {
    return this.#entry(key).possible.length > 0;
  }

  acknowledged(key: string, content: Content): void {
    this.#acknowledgedCount += 1;
    this.#settle(key, content);
  }

  failed(key: string, content: Content): void {
    this.#entry(key).possible.push(content);
  }

  #settle(key: string, content: Content): void {
    const entry = this.#entry(key);
    entry.certain = content;
    entry.possible.length = 0;
  }

  /** Describes what is wrong with the result of a read (`seen` is null for a missing object); null if it is correct. */
  judge(key: string, seen: Uint8Array | null): string | null {
    const { certain, possible } = this.#entry(key);
    const match = [certain, ...possible].find((content) => this.#isSame(key, content, seen));
    if (match === undefined) {
      const expected = [certain, ...possible].map(describe).join(" or ");
      return `${key} should hold ${expected}, but ${seen === null ? "is gone" : `shows other bytes (${seen.length})`}.`;
    }
    this.#settle(key, match);
    return null;
  }

  #isSame(key: string, content: Content, seen: Uint8Array | null): boolean {
    if (content.type === "nothing" || seen === null) return content.type === "nothing" && seen === null;
    return this.#makeBody(key, content.serial).equals(seen);
  }
}

const describe = (content: Content): string =>
  content.type === "nothing" ? "nothing" : `body ${content.serial}`;

const KIB = 1024;
const SIZES = [1, 100, 4 * KIB, 4 * KIB + 1, 8 * KIB, 30 * KIB, 64 * KIB, 64 * KIB, 256 * KIB, 1100 * KIB];

/**
 * Returns the same bytes for the same key and number, and different bytes otherwise. Mostly small, sometimes above 1
 * MiB.
 */
export function contentBody(key: string, serial: number): Buffer {
  const seed = createHash("sha256").update(`${key} ${serial}`).digest();
  const sizeBytes = SIZES[(seed[31] as number) % SIZES.length] as number;
  return randomBody(seed, sizeBytes);
}

/** Returns bytes that the seed determines. The seed has at least 16 bytes. */
export function randomBody(seed: Buffer, sizeBytes: number): Buffer {
  const cipher = createCipheriv("aes-128-ctr", seed.subarray(0, 16), Buffer.alloc(16));
  return cipher.update(Buffer.alloc(sizeBytes));
}

import type { Address, Message } from "@stashlight/write-path";

/** A hash that is equal for two runs only if the same events reached the same machines at the same times. */
export class TraceHash {
  readonly #textHashes = new Map<string, number>();
  value = 0x811c9dc5;
  eventCount = 0;

  add(address: Address, event: { readonly type: string }, nowUs: number): void {
    this.eventCount += 1;
    const { message } = event as { message?: Message };
    let hash = this.value ^ this.#hashOf(address) ^ (nowUs | 0);
    hash = Math.imul(hash, 0x01000193) ^ this.#hashOf(message?.type ?? event.type);
    this.value = Math.imul(hash, 0x01000193) >>> 0;
  }

  #hashOf(text: string): number {
    const known = this.#textHashes.get(text);
    if (known !== undefined) return known;
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
    this.#textHashes.set(text, hash);
    return hash;
  }
}

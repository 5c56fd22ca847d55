/**
 * Lets so many bytes of bodies be on their way at a time, in the order in which they came. Each of them is sent
 * 2 (k + m) / k times over, and waits in queues that are bounded; more at once would be dropped there, not faster.
 */
export class ByteGate {
  readonly #bytesMax: number;
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Runs the work once its bytes may enter. A body larger than all that may enter goes alone. */
  async run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    await this.#enter(bytes);
    try {
      return await work();
    } finally {
      this.#bytes -= bytes;
      this.#admit();
    }
  }

  #enter(bytes: number): Promise<void> {
    return new Promise((enter) => {
      this.#waiting.push({ bytes, enter });
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#bytes > 0 && this.#bytes + next.bytes > this.#bytesMax) return;
      this.#waiting.shift();
      this.#bytes += next.bytes;
      next.enter();
    }
  }
}

/**
 * The drives, pools and daemons that one agent tells of, over its life. What a store names is its own choice, and every
 * name is a series for years, so there is a bound; whoever has more runs an agent beside each machine of the store.
 */

/** With an agent's own file systems and drives below the bound on values of a label. */
const DEVICES_MAX = 90;
/** Longer names are refused by questions of charts. */
const NAME_CHARS_MAX = 120;

export class DeviceBook {
  readonly #names = new Set<string>();
  readonly #countMax: number;

  constructor(countMax = DEVICES_MAX) {
    this.#countMax = countMax;
  }

  get countMax(): number {
    return this.#countMax;
  }

  /** Whether this one is told of. */
  admit(name: string): boolean {
    if (this.#names.has(name)) return true;
    if (name.length > NAME_CHARS_MAX || this.#names.size >= this.#countMax) return false;
    this.#names.add(name);
    return true;
  }
}

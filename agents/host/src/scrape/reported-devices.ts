/**
 * Drives, pools and daemons that one agent reports during its lifetime. A store chooses their names, and every name is
 * a series for years, so there is a limit; larger stores run an agent on each machine.
 */

/** Low enough that the total with an agent's own file systems and drives is below the limit on values of a label. */
const DEVICES_MAX = 90;
/** Chart queries refuse longer names. */
const NAME_CHARS_MAX = 120;

export class ReportedDevices {
  readonly #names = new Set<string>();
  readonly #countMax: number;

  constructor(countMax = DEVICES_MAX) {
    this.#countMax = countMax;
  }

  get countMax(): number {
    return this.#countMax;
  }

  /** Returns true if this device is reported. */
  admit(name: string): boolean {
    if (this.#names.has(name)) return true;
    if (name.length > NAME_CHARS_MAX || this.#names.size >= this.#countMax) return false;
    this.#names.add(name);
    return true;
  }
}

/** Cuts the power after every event, and recovers each possible image exactly once. */
import { judgeDurability } from "./judge.ts";
import { Broken, type Ledger, ledgerNumber } from "./ledger.ts";
import type { Machines } from "./machines.ts";
import { describeImage, type Image, type Media, type Stored } from "./power-cut.ts";
import { Recovery } from "./recovery.ts";
import type { Scenario } from "./scenario.ts";

/** An image that a power cut left, and the recovery that the cut interrupted. */
interface Origin {
  readonly image: Image;
  readonly during: Origin | null;
}

export class CrashSite {
  readonly #scenario: Scenario;
  readonly #machines: Machines;
  /** Pairs of media and ledger whose power was already cut. */
  readonly #cut = new Set<string>();
  readonly #media: Media;
  readonly #waiting: Origin[] = [];
  imageCount = 0;
  eventCount = 0;

  constructor(scenario: Scenario, machines: Machines, media: Media) {
    this.#media = media;
    this.#scenario = scenario;
    this.#machines = machines;
  }

  get cutCount(): number {
    return this.#cut.size;
  }

  /** Throws Broken if the cut breaks a promise. */
  cutPower(storage: readonly Stored[], ledger: Ledger): void {
    this.#cutPowerLater(storage, ledger, null);
    for (let origin = this.#waiting.pop(); origin; origin = this.#waiting.pop()) this.#recover(origin);
  }

  #cutPowerLater(storage: readonly Stored[], ledger: Ledger, during: Origin | null): void {
    let key = `${ledgerNumber(ledger)}`;
    for (const { medium } of storage) key += ` ${medium}`;
    if (this.#cut.has(key)) return;
    this.#cut.add(key);
    judgeDurability(
      storage.map(({ node }) => node),
      ledger,
    );
    for (const image of this.#media.newImagesOf(storage, ledger)) {
      this.imageCount += 1;
      this.#waiting.push({ image, during });
    }
  }

  #recover(origin: Origin): void {
    const recovery = new Recovery(
      origin.image,
      this.#scenario,
      this.#machines,
      this.#media,
      (storage, ledger) => {
        this.#cutPowerLater(storage, ledger, origin);
      },
    );
    try {
      recovery.toRest();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const lines = [error.message];
      for (let at: Origin | null = origin; at; at = at.during) {
        const when = at.during ? "during the recovery of the image on the next line" : "after these events";
        lines.push(`  a power cut left ${describeImage(at.image)}, ${when}:`);
      }
      throw new Broken(lines.join("\n"), { cause: error });
    } finally {
      this.eventCount += recovery.eventCount;
    }
  }
}

/**
 * Tests a randomly driven log while bits of its payloads flip and flip back, and one of its files sometimes fails
 * reads. No record is lost or wrong, known corrupt records are counted, and damage occupies space only while it lasts.
 */
import { expect, test } from "vitest";
import { DiskError } from "./disk.ts";
import type { LogError } from "./errors.ts";
import { PAGE_BYTES } from "./format.ts";
import type { ShardLog } from "./log.ts";
import type { RecordId } from "./record-key.ts";
import { liveBytesMax } from "./space-limits.ts";
import {
  collectAnswer,
  decodeText,
  encodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";
import { createChance } from "./testing/model.ts";

const EIO = new DiskError("io", "EIO: the device gave no answer.");
const STEPS = 800;
const CHECK_EVERY_STEPS = 20;
const FILES = ["segment-00000", "segment-00001", "segment-00002", "segment-00003"];

class DamagedDrive {
  readonly #chance: () => number;
  readonly #changes: { policy: "ring" | "extents"; segmentCount: number; nowMs: () => number };
  /** Payloads of the live records, by number. */
  readonly #live = new Map<number, string>();
  readonly #flipped: { readonly file: string; readonly at: number; readonly text: string }[] = [];
  #nowMs = 0;
  #failing: string | null = null;
  #disk = new MemoryDisk();
  #log: ShardLog;
  #next = 0;
  readonly sums = { corrupt: 0, unreadable: 0, confirmations: 0, recycles: 0, refused: 0 };

  constructor(seed: number, policy: "ring" | "extents") {
    this.#chance = createChance(seed);
    this.#changes = { policy, segmentCount: 5 + (seed % 4), nowMs: () => this.#nowMs };
    this.#log = this.#open(true);
  }

  #open(isNew: boolean): ShardLog {
    this.#disk.onOperation = (name, file) => (name.startsWith("read") && file === this.#failing ? EIO : null);
    const { log, records, damagedRecords } = openedLog(this.#disk, this.#changes, isNew);
    log.onUnreadable = () => void this.sums.unreadable++;
    // Kills without space are not on the medium, so they are requested again.
    const recordNumber = ({ uploadId }: RecordId) =>
      new DataView(uploadId.buffer, uploadId.byteOffset).getUint32(12);
    log.kill([...records, ...damagedRecords].filter((id) => !this.#live.has(recordNumber(id))));
    return log;
  }

  play(): void {
    for (let step = 1; step <= STEPS; step++) {
      this.#step();
      this.#nowMs += this.#below(5000);
      if (step % CHECK_EVERY_STEPS === 0) this.#check();
    }
    this.#recover();
  }

  #below(limit: number): number {
    return Math.floor(this.#chance() * limit);
  }

  #step(): void {
    const dice = this.#below(1000);
    if (dice < 500) this.#append(this.#below(4) === 0 ? this.#anyLive() : this.#next++);
    else if (dice < 560) this.#kill(this.#anyLive());
    else if (dice < 620) this.#log.flush(() => {});
    else if (dice < 680) this.#log.compact(() => {});
    else if (dice < 700) this.#log.scrub(100_000, () => {});
    else if (dice < 750) this.#flip();
    else if (dice < 760) this.#flipBack();
    else if (dice < 785) this.#failing = this.#below(2) === 0 ? null : (FILES[this.#below(4)] as string);
    else if (dice < 800) this.#confirmLosses();
    else if (dice < 990) this.#disk.run(this.#below(40));
    else this.#restart();
  }

  #anyLive(): number {
    return [...this.#live.keys()][this.#below(this.#live.size)] ?? this.#next++;
  }

  #append(number: number): void {
    const payload = `payload ${number} `.padEnd(20 + this.#below(3000), "z");
    let isRefused = false;
    this.#log.append(makeRecord(number, payload), (error) => {
      isRefused = error !== null;
    });
    if (isRefused) this.sums.refused++;
    else this.#live.set(number, payload);
    // Damaged records cannot be packed, so less may live than in an intact log.
    const bytesMax = 0.6 * liveBytesMax(smallOptions(this.#disk, this.#changes), "data");
    const bytes = () => [...this.#live.values()].reduce((sum, each) => sum + each.length + 256, 0);
    while (bytes() > bytesMax) this.#kill([...this.#live.keys()][0] as number);
  }

  #kill(number: number): void {
    this.#live.delete(number);
    this.#log.kill([makeRecordId(number)]);
  }

  /** Flips a bit in one copy of a live record, not necessarily the current one. */
  #flip(): void {
    const text = `payload ${this.#anyLive()} `;
    const copies = FILES.map((file) => ({
      file,
      at: Buffer.from(this.#disk.medium(file)).lastIndexOf(text),
    }));
    const places = copies.filter(({ at }) => at !== -1);
    const place = places[this.#below(places.length)];
    if (place === undefined) return;
    this.#flipBit(place.file, place.at + text.length);
    this.#flipped.push({ ...place, text });
  }

  #flipBack(): void {
    for (const { file, at, text } of this.#flipped.splice(0)) {
      // Something else may be in that place by now.
      const isThere = Buffer.from(this.#disk.medium(file))
        .subarray(at, at + text.length)
        .equals(encodeText(text));
      if (isThere) this.#flipBit(file, at + text.length);
    }
  }

  #flipBit(file: string, at: number): void {
    const medium = this.#disk.medium(file);
    medium[at] = (medium[at] as number) ^ 1;
  }

  #confirmLosses(): void {
    this.#log.confirmLosses([...this.#live.keys()].map(makeRecordId));
    this.sums.confirmations++;
  }

  /** A process crash loses nothing, because every request has been carried out and a frame attests it. */
  #restart(): void {
    this.#failing = null;
    this.#log.flush(() => {});
    this.#disk.run();
    // Without space nothing is attested, and rot in the last frame would look like a torn write.
    if (this.#log.stats().bytesAppendable < 2 * PAGE_BYTES) return;
    this.#log.attest(() => {});
    this.#disk.run();
    this.sums.recycles += this.#log.stats().counters.recyclesTotal;
    this.#disk = this.#disk.processCrash();
    this.#log = this.#open(false);
    for (const number of this.#live.keys()) expect(this.#log.has(makeRecordId(number))).toBe(true);
  }

  /** Reads every live record, and checks its payload. */
  #check(): void {
    this.#disk.run();
    let corruptCount = 0;
    for (const [number, payload] of this.#live) {
      const answer = collectAnswer<LogError | string>(this.#disk, (done) =>
        this.#log.read(makeRecordId(number), (error, record) =>
          done(record === null ? (error as LogError) : decodeText(record.payload)),
        ),
      );
      if (typeof answer === "string") expect(answer).toBe(payload);
      else if (answer.code === "record_corrupt") corruptCount++;
      else expect([answer.code, this.#failing]).toEqual(["io_failed", expect.any(String)]);
    }
    if (this.#failing === null) expect(this.#log.stats().recordsCorrupt).toBe(corruptCount);
    this.sums.corrupt += corruptCount;
  }

  /** Ends the failures of reads and kills corrupt records, after which there is space again. */
  #recover(): void {
    this.#failing = null;
    this.#nowMs += 3_600_000;
    this.#check();
    this.sums.recycles += this.#log.stats().counters.recyclesTotal;
    for (const number of [...this.#live.keys()]) {
      const code = collectAnswer<string>(this.#disk, (done) =>
        this.#log.read(makeRecordId(number), (error) => done(error?.code ?? "")),
      );
      if (code === "record_corrupt") this.#kill(number);
    }
    const tries = [1, 2, 3].map(() => {
      this.#log.flush(() => {});
      this.#disk.run();
      return collectAnswer<LogError | null>(this.#disk, (done) =>
        this.#log.append(makeRecord(this.#next, "x"), done),
      );
    });
    expect(tries).toContain(null);
    expect(this.#log.stats().recordsCorrupt).toBe(0);
  }
}

test.each(["ring", "extents"] as const)(
  "%s: no record is lost or wrong, each corrupt one is counted, and space is freed once damage is replaced",
  (policy) => {
    const sums = { corrupt: 0, unreadable: 0, confirmations: 0, recycles: 0, refused: 0 };
    for (let seed = 1; seed <= 6; seed++) {
      const drive = new DamagedDrive(seed, policy);
      drive.play();
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += drive.sums[name];
    }
    // The guarantee proves nothing unless the hazards occurred.
    expect(sums.corrupt).toBeGreaterThan(100);
    expect(sums.unreadable).toBeGreaterThan(5);
    expect(sums.confirmations).toBeGreaterThan(50);
    expect(sums.recycles).toBeGreaterThan(100);
    expect(sums.refused).toBeGreaterThan(10);
  },
  60_000,
);

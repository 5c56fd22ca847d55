/**
 * Checks the disk against a model that is simple enough to verify by eye: for each byte, the values that a power cut
 * may leave. The set starts as the value last synced; every write adds a value; a completed sync (neither failed nor
 * lying) leaves only the last one.
 */
import type { DiskError, DiskFile } from "@stashlight/shard-log";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiskFaults, healthy } from "./faults.ts";
import { seeded, TestDisk } from "./testing.ts";

const PAGE = 4096;
const FILE_BYTES = 6 * PAGE;

type Step =
  | { readonly do: "write"; readonly offset: number; readonly bytes: number }
  | { readonly do: "sync" | "direct" | "crash" | "cut" };

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("write" as const),
        offset: fc.nat(FILE_BYTES - 1),
        bytes: fc.integer({ min: 1, max: 3 * PAGE }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("sync" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("direct" as const, "crash" as const, "cut" as const) }),
    },
  ),
  { maxLength: 40 },
);

interface Model {
  /** Content that reads see. */
  readonly seen: Uint8Array;
  /** Content that is certain to be on the media, where `isSure`. */
  readonly durable: Uint8Array;
  readonly isSure: Uint8Array;
}

function writeBoth(
  bench: TestDisk,
  file: DiskFile,
  model: Model,
  step: Step & { do: "write" },
  value: number,
): void {
  const bytes = new Uint8Array(Math.min(step.bytes, FILE_BYTES - step.offset)).fill(value);
  expect(bench.write(file, step.offset, bytes)).toBeNull();
  model.seen.set(bytes, step.offset);
  // A power cut decides a page as a whole, and a corrupt page may lose its earlier content.
  const end = Math.ceil((step.offset + bytes.length) / PAGE) * PAGE;
  model.isSure.fill(0, Math.floor(step.offset / PAGE) * PAGE, end);
}

function afterCut(bench: TestDisk, model: Model): DiskFile {
  bench.powerCut();
  const file = bench.open("a");
  const left = bench.read(file, 0, FILE_BYTES) as Uint8Array;
  for (let at = 0; at < FILE_BYTES; at++) {
    if (model.isSure[at] === 1 && left[at] !== model.durable[at])
      throw new Error(`Byte ${at} was lost by a cut.`);
  }
  model.seen.set(left);
  model.durable.set(left);
  model.isSure.fill(1);
  return file;
}

/** Like `toEqual`, but as fast as a memory comparison. */
function expectSame(given: Uint8Array | DiskError, expected: Uint8Array): void {
  expect(given instanceof Uint8Array && Buffer.compare(given, expected) === 0).toBe(true);
}

function play(seed: number, script: readonly Step[], faults: Partial<DiskFaults> = {}): void {
  const bench = new TestDisk(seed, faults);
  const model: Model = {
    seen: new Uint8Array(FILE_BYTES),
    durable: new Uint8Array(FILE_BYTES),
    isSure: new Uint8Array(FILE_BYTES).fill(1),
  };
  let file = bench.create("a", FILE_BYTES);
  for (const [index, step] of script.entries()) {
    if (step.do === "write") writeBoth(bench, file, model, step, index + 1);
    else if (step.do === "cut") file = afterCut(bench, model);
    else if (step.do === "crash") {
      bench.processCrash();
      file = bench.open("a");
    } else {
      if (step.do === "sync") expect(bench.sync(file)).toBeNull();
      else expectSame(bench.read(file, 0, FILE_BYTES, "readDirect"), model.seen);
      model.durable.set(model.seen);
      model.isSure.fill(1);
      expect(bench.disk.isOnMedia("a", 0, model.seen)).toBe(true);
    }
    expectSame(bench.read(file, 0, FILE_BYTES), model.seen);
  }
  afterCut(bench, model);
  bench.disk.release();
  expect(bench.pool.pagesInUse).toBe(0);
}

test("without faults, synced data survives any sequence of crashes and power cuts", () => {
  fc.assert(
    fc.property(fc.integer(), steps, (seed, script) => play(seed, script)),
    { numRuns: 300 },
  );
});

test.each(["lyingSync", "syncError", "writeError", "misdirectedWrite"] as const)(
  "the model detects %s",
  (fault) => {
    const property = fc.property(fc.integer(), steps, (seed, script) => play(seed, script, { [fault]: 0.5 }));
    expect(fc.check(property, { numRuns: 300, endOnFailure: true }).failed).toBe(true);
  },
);

/** Draws a few hundred operations with every fault switched on and off, several of them in flight at once. */
function storm(seed: number): { hash: number; counters: string; pagesInUse: number; acked: number } {
  const draw = seeded(seed ^ 0x5eed);
  const bench = new TestDisk(seed);
  let files: DiskFile[] = [bench.create("a", FILE_BYTES), bench.create("b", FILE_BYTES)];
  let acked = 0;
  const count = (error: unknown): void => {
    if (error === null) acked++;
  };
  for (let operation = 0; operation < 300; operation++) {
    const faults = healthy();
    if (draw() < 0.5)
      faults[
        (
          [
            "syncError",
            "lyingSync",
            "writeError",
            "readError",
            "misdirectedWrite",
            "earlyWriteback",
            "shortWrite",
          ] as const
        )[Math.floor(draw() * 7)] ?? "noSpace"
      ] = 0.3;
    bench.disk.faults = faults;
    const file = files[Math.floor(draw() * files.length)];
    const offset = Math.floor(draw() * 4 * PAGE);
    const chance = draw();
    if (chance < 0.5)
      file?.write(offset, new Uint8Array(Math.floor(draw() * 2 * PAGE)).fill(operation), count);
    else if (chance < 0.75) file?.sync(count);
    else if (chance < 0.85) file?.read(offset, new Uint8Array(PAGE), count);
    else if (chance < 0.92) file?.readDirect(PAGE, new Uint8Array(2 * PAGE), count);
    else if (chance < 0.95) bench.disk.rotBit();
    else {
      if (chance < 0.98) bench.powerCut();
      else bench.processCrash();
      bench.disk.heal();
      files = bench
        .list()
        .map((name) => bench.open(name))
        .filter((open) => open.sizeBytes === FILE_BYTES);
    }
    const steps = Math.floor(draw() * 4);
    for (let step = 0; step < steps; step++) bench.clock.step();
  }
  const hash = bench.disk.imageHash();
  bench.disk.release();
  return { hash, counters: JSON.stringify(bench.disk.counters), pagesInUse: bench.pool.pagesInUse, acked };
}

test("the same seed gives the same image and counters, and another seed different ones, and no page leaks", () => {
  const hashes = new Set<number>();
  for (let seed = 0; seed < 60; seed++) {
    const first = storm(seed);
    expect(storm(seed)).toEqual(first);
    expect(first.pagesInUse).toBe(0);
    expect(first.acked).toBeGreaterThan(50);
    hashes.add(first.hash);
  }
  expect(hashes.size).toBe(60);
});

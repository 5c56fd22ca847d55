/** Tests that damage on the medium leads to a typed refusal or report, and never to a wrong record. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import { dataView, FORMAT_VERSION } from "./format.ts";
import { type OpenedLog, openLog } from "./open.ts";
import type { LogOptions } from "./options.ts";
import type { LogRecord } from "./read-record.ts";
import { keyOfHeader } from "./record-key.ts";
import {
  collectAnswer,
  crc32c,
  decodeText,
  encodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";

type Opening = { error: LogError | null; opened: OpenedLog | null };

const tryOpen = (disk: MemoryDisk, changes: Partial<LogOptions> = {}): Opening =>
  collectAnswer<Opening>(disk, (done) =>
    openLog(smallOptions(disk, changes), (error, opened) => done({ error, opened })),
  );

/** Creates a log with many small and a few larger records, some killed, over several segments. */
function madeDisk(policy: "ring" | "extents"): MemoryDisk {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { policy }, true);
  for (let number = 0; number < 60; number++) {
    const payload = `payload ${number} `.padEnd(number % 7 === 0 ? 5000 : 30, "z");
    log.append(makeRecord(number, payload), () => {});
    if (number % 3 === 0) disk.run();
    if (number % 5 === 4) log.kill([makeRecordId(number - 2)]);
  }
  log.flush(() => {});
  disk.run();
  return disk.powerCut(() => "dropped");
}

const copyDisk = (disk: MemoryDisk): MemoryDisk => disk.powerCut(() => "dropped");

const setCrc = (page: Uint8Array): void => dataView(page).setUint32(8, crc32c(page.subarray(12, 4096)), true);

describe("opening refuses a volume other than the requested one", () => {
  const rows: [string, (disk: MemoryDisk) => void, Partial<LogOptions>][] = [
    ["foreign_cluster", () => {}, { clusterId: encodeText("cluster-00000002") }],
    ["foreign_device", () => {}, { deviceId: encodeText("device--00000002") }],
    ["wrong_geometry", () => {}, { segmentCount: 5 }],
    ["wrong_geometry", () => {}, { segmentBytes: 32_768, recordBytesMax: 8_192 }],
    ["wrong_geometry", () => {}, { policy: "extents" }],
    [
      "unsupported_format",
      (disk) => {
        const page = disk.medium("volume").subarray(0, 4096);
        dataView(page).setUint32(12, FORMAT_VERSION + 1, true);
        setCrc(page);
      },
      {},
    ],
    [
      "foreign_device",
      (disk) => {
        const page = disk.medium("segment-00002").subarray(0, 4096);
        page[32] = 0;
        setCrc(page);
      },
      {},
    ],
    ["volume_corrupt", (disk) => disk.medium("volume").fill(7), {}],
    ["not_formatted", (disk) => disk.medium("volume").fill(0), {}],
  ];

  test.each(rows)("with the code %s", (code, damage, changes) => {
    const disk = madeDisk("ring");
    damage(disk);
    const before = disk.names().map((name) => disk.medium(name).slice());
    expect(tryOpen(disk, changes).error?.code).toBe(code);
    expect(disk.names().map((name) => disk.medium(name))).toEqual(before);
  });
});

test("a folder without a volume is refused, and one with a volume is not formatted again", async () => {
  expect(tryOpen(new MemoryDisk()).error?.code).toBe("not_formatted");
  const { formatLog } = await import("./volume-file.ts");
  const disk = madeDisk("ring");
  const format = (): LogError | null => collectAnswer(disk, (done) => formatLog(smallOptions(disk), done));
  expect(format()?.code).toBe("already_formatted");
  disk.medium("volume").fill(0);
  expect(format()?.code).toBe("already_formatted");
});

test("a volume file with a missing part counts as damaged, not as a failing device, and is not replaced", async () => {
  const { formatLog } = await import("./volume-file.ts");
  const disk = new MemoryDisk();
  collectAnswer(disk, (done) => disk.create("volume", 4096, done));
  expect(tryOpen(disk).error?.code).toBe("volume_corrupt");
  const failed = collectAnswer<LogError | null>(disk, (done) => formatLog(smallOptions(disk), done));
  expect(failed?.code).toBe("already_formatted");
  expect(disk.names()).toEqual(["volume"]);
});

describe("rot in the first of the last frames, all of them durable", () => {
  const madeIn = (policy: "ring" | "extents", afterwards: (log: OpenedLog["log"]) => void): MemoryDisk => {
    const disk = new MemoryDisk();
    const { log } = openedLog(disk, { policy }, true);
    for (let number = 1; number <= 3; number++) {
      log.append(makeRecord(number), () => {});
      disk.run();
    }
    log.flush(() => {});
    disk.run();
    afterwards(log);
    disk.run();
    const rotten = disk.powerCut(() => "dropped");
    rotten.medium("segment-00000").fill(0, 4096, 8192);
    return rotten;
  };
  const foundIn = (disk: MemoryDisk, policy: "ring" | "extents") => {
    const opened = tryOpen(disk, { policy }).opened as OpenedLog;
    const shardIndices = [...opened.records].map(({ shardIndex }) => shardIndex);
    return { shardIndices, damage: opened.damage.map(({ kind }) => kind) };
  };

  test("in extents counts as a torn tail, unless the log has attested the frames", () => {
    expect(
      foundIn(
        madeIn("extents", () => {}),
        "extents",
      ),
    ).toEqual({ shardIndices: [], damage: [] });
    const attested = madeIn("extents", (log) => log.attest(() => {}));
    expect(foundIn(attested, "extents")).toEqual({ shardIndices: [2, 3], damage: ["frame_lost"] });
  });

  test("is detected in a ring, where each frame attests the previous one and an idle log attests the last", () => {
    expect(
      foundIn(
        madeIn("ring", () => {}),
        "ring",
      ),
    ).toEqual({ shardIndices: [2, 3], damage: ["frame_lost"] });
    const disk = madeIn("ring", (log) => log.attest(() => {}));
    disk.medium("segment-00000").fill(0, 8192, 16_384);
    expect(foundIn(disk, "ring").damage).toContain("frame_lost");
  });

  test("is guarded against by an idle log, which attests its frames once, together with waiting purges", () => {
    const disk = new MemoryDisk();
    const { log } = openedLog(disk, {}, true);
    const framesAfter = (step: () => void): number => {
      step();
      disk.run();
      return log.stats().counters.framesTotal;
    };
    const attest = () => log.attest(() => {});
    expect(framesAfter(attest)).toBe(0);
    expect(framesAfter(() => log.append(makeRecord(1), () => {}))).toBe(1);
    expect(framesAfter(attest)).toBe(2);
    expect(framesAfter(attest)).toBe(2);
    expect(framesAfter(() => log.kill([makeRecordId(1)]))).toBe(2);
    expect(framesAfter(attest)).toBe(3);
    expect(framesAfter(attest)).toBe(4);
    expect(framesAfter(attest)).toBe(4);
    expect(tryOpen(disk.powerCut(() => "dropped")).opened?.records).toHaveLength(0);
  });
});

/**
 * Opens a disk with damage to one file and reads everything: only written records are returned, each under its id. Only
 * damage to the volume's own page keeps a log closed. Returns the number of records read.
 */
function expectNoWrongRecord(disk: MemoryDisk, policy: "ring" | "extents", damagedFile: string): number {
  const { error, opened } = tryOpen(disk, { policy });
  if (opened === null) {
    expect([damagedFile, error?.code]).toEqual([
      "volume",
      expect.stringMatching(/^(volume_corrupt|not_formatted)$/),
    ]);
    return 0;
  }
  let readCount = 0;
  for (const header of opened.records) {
    const answer = collectAnswer<{ error: LogError | null; record: LogRecord | null }>(disk, (done) =>
      opened.log.read(header, (failed, record) => done({ error: failed, record })),
    );
    const number = dataView(header.uploadId).getUint32(12);
    expect(decodeText(header.meta)).toBe(`meta ${number}`);
    expect(keyOfHeader(header)).toBe(keyOfHeader(makeRecordId(number)));
    if (answer.record === null) expect(answer.error?.code).toBe("record_corrupt");
    else {
      expect(decodeText(answer.record.payload).trimEnd().replace(/z+$/, "").trimEnd()).toBe(
        `payload ${number}`,
      );
      readCount += 1;
    }
  }
  return readCount;
}

const policies = ["ring", "extents"] as const;
const made = { ring: madeDisk("ring"), extents: madeDisk("extents") };
const fileOf = (disk: MemoryDisk, at: number): string => {
  const names = disk.names();
  return names[at % names.length] as string;
};
const runs = { numRuns: 50 };
/** Half of the reads on intact disks, because damage to one file leaves most records readable. */
const READ_COUNT_MIN = 25 * 48;

describe("damage never causes a wrong record or a hang", () => {
  test.each(policies)("when any byte has changed (%s)", (policy) => {
    let readCount = 0;
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (file, at, mask) => {
        const disk = copyDisk(made[policy]);
        const damagedFile = fileOf(disk, file);
        const medium = disk.medium(damagedFile);
        // Half of the changes hit the records.
        const offset = at % 2 === 0 ? at % medium.length : at % Math.min(medium.length, 20_000);
        medium[offset] = (medium[offset] as number) ^ mask;
        readCount += expectNoWrongRecord(disk, policy, damagedFile);
      }),
      runs,
    );
    expect(readCount).toBeGreaterThan(READ_COUNT_MIN);
  });

  test.each(policies)("when any page was dropped, torn, or written in place of another (%s)", (policy) => {
    let readCount = 0;
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 3 }),
        (file, other, from, to, kind) => {
          const disk = copyDisk(made[policy]);
          const source = disk.medium(fileOf(disk, file));
          const damagedFile = fileOf(disk, kind === 3 ? file : other);
          const target = disk.medium(damagedFile);
          const pageAt = (bytes: Uint8Array, at: number): Uint8Array => {
            const start = (at % (bytes.length / 4096)) * 4096;
            return bytes.subarray(start, start + 4096);
          };
          const page = pageAt(target, to);
          if (kind === 0) page.fill(0);
          else if (kind === 1) page.fill(0xa5, 512 * (from % 8));
          else page.set(pageAt(source, from));
          readCount += expectNoWrongRecord(disk, policy, damagedFile);
        },
      ),
      runs,
    );
    expect(readCount).toBeGreaterThan(READ_COUNT_MIN);
  });

  test.each(policies)("when everything after any point of a segment is gone (%s)", (policy) => {
    let readCount = 0;
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (file, at) => {
        const disk = copyDisk(made[policy]);
        const damagedFile = fileOf(disk, file);
        const medium = disk.medium(damagedFile);
        medium.fill(0, at % medium.length);
        readCount += expectNoWrongRecord(disk, policy, damagedFile);
      }),
      runs,
    );
    expect(readCount).toBeGreaterThan(READ_COUNT_MIN);
  });
});

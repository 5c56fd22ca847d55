import { expect, test } from "vitest";
import type { ScrubHealth } from "../status/health.ts";
import { describeResult, describeUnderWay, renderScrub, type ScrubbedDrive, scrubEnd } from "./report.ts";

const MIB = 1_048_576;
const figures = (more: object = {}) => ({
  startedAtMs: 50,
  recordsVerified: 0,
  bytesVerified: 0,
  corruptCount: 0,
  unreadableCount: 0,
  repairedCount: 0,
  ...more,
});
const drive = (
  address: string,
  scrub: Partial<ScrubHealth>,
  more: Partial<Omit<ScrubbedDrive, "scrub">> = {},
): ScrubbedDrive => ({
  address,
  state: { type: "running" },
  damage: { corruptCount: 0, unreadableCount: 0, isCorrelated: false },
  scrub: {
    ...figures(),
    isOnDemand: true,
    bytesTotal: 100 * MIB,
    secondsLeft: null,
    last: null,
    oldestUnverifiedSeconds: 0,
    roundSeconds: 100,
    ...scrub,
  },
  ...more,
});
const ended = (more: object = {}): Partial<ScrubHealth> => ({
  startedAtMs: 90,
  isOnDemand: false,
  last: { ...figures({ recordsVerified: 1200, bytesVerified: 100 * MIB, ...more }), endedAtMs: 90 },
});
const started = (...addresses: string[]) => new Map(addresses.map((address) => [address, 50]));

test.each<[string, Partial<ScrubHealth>, string]>([
  ["its round continues", {}, "in progress"],
  ["its round has ended, and a scheduled one began", ended(), "done"],
  ["its round has ended, and another one was requested", { ...ended(), isOnDemand: true }, "done"],
  ["it was stopped", { isOnDemand: false, startedAtMs: 1 }, "stopped"],
  ["it was stopped, and another round was requested", { isOnDemand: true, startedAtMs: 70 }, "stopped"],
])("finds the state of a requested round if %s", (_, scrub, end) => {
  expect(scrubEnd(drive("p0", scrub), 50)).toBe(end);
});

test("the table has a row for each drive, with gaps for unknown values", () => {
  const drives = [
    drive("p0", { recordsVerified: 300, bytesVerified: 25 * MIB, secondsLeft: 75 }),
    drive("p1", ended({ corruptCount: 2, repairedCount: 1 })),
    drive("p2", { bytesTotal: null }, { state: { type: "failed", reason: "EIO" } }),
    drive("s0", { isOnDemand: false }),
  ];
  expect(renderScrub(drives, started("p0", "p1", "p2")).map((line) => line.trimEnd())).toEqual([
    "DRIVE  SCRUB             DONE  RECORDS     READ  CORRUPT  UNREADABLE  REPAIRED   LEFT",
    "p0     in progress     25.0 %      300   25 MiB        0           0         0  2 min",
    "p1     done           100.0 %    1,200  100 MiB        2           0         1      -",
    "p2     waits: failed        -        0      0 B        0           0         0      -",
    "s0     scheduled        0.0 %        0      0 B        0           0         0      -",
  ]);
});

test("the progress line counts finished drives, and estimates the slowest of the others", () => {
  const drives = [
    drive("p0", { bytesVerified: 25 * MIB, secondsLeft: 75 }),
    drive("p1", ended()),
    drive("p2", { bytesVerified: 75 * MIB, secondsLeft: 10 }),
  ];
  expect(describeUnderWay(drives, started("p0", "p1", "p2"))).toBe(
    "1 of 3 drives done; the others 50.0 %, about 2 min left.",
  );
  const unknown = [...drives.slice(0, 2), drive("p2", { bytesVerified: 75 * MIB })];
  expect(describeUnderWay(unknown, started("p0", "p1", "p2"))).toBe("1 of 3 drives done; the others 50.0 %.");
});

const waiting = (corruptCount: number) => ({
  damage: { corruptCount, unreadableCount: 0, isCorrelated: false },
});
test.each<[string, ScrubbedDrive[], string, boolean]>([
  [
    "nothing was found",
    [drive("p0", ended()), drive("p1", ended())],
    "2,400 records of 2 drives verified: none is corrupt.",
    true,
  ],
  [
    "corrupt records were repaired",
    [drive("p0", ended({ corruptCount: 1 }))],
    "1,200 records of 1 drive verified: 1 record was corrupt.",
    true,
  ],
  [
    "a corrupt record waits",
    [drive("p0", ended({ corruptCount: 3 }), waiting(1))],
    "1,200 records of 1 drive verified: 3 records were corrupt, and 1 corrupt record still waits for repair.",
    false,
  ],
  [
    "records could not be read",
    [drive("p0", ended({ unreadableCount: 2 }))],
    "1,200 records of 1 drive verified: none is corrupt; 2 records could not be read.",
    false,
  ],
  [
    "a drive was stopped",
    [drive("p0", ended()), drive("p1", { isOnDemand: false, startedAtMs: 1 })],
    "1,200 records of 1 drive verified: none is corrupt. 1 drive was stopped before the end.",
    false,
  ],
])("reports the result if %s", (_, drives, sentence, isWell) => {
  const all = started(...drives.map(({ address }) => address));
  expect(describeResult(drives, all)).toEqual({ sentence, isWell });
});

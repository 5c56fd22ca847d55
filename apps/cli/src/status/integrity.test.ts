import { expect, test } from "vitest";
import type { DamageHealth, ScrubHealth } from "./health.ts";
import { type DriveIntegrity, describeScrub, integrityProblems } from "./integrity.ts";

const DAY = 86_400;
const drive = (
  name: string,
  damage: Partial<DamageHealth> = {},
  scrub: Partial<ScrubHealth> | null = {},
): DriveIntegrity => ({
  drive: name,
  damage: { corruptCount: 0, unreadableCount: 0, isCorrelated: false, ...damage },
  scrub: scrub && {
    startedAtMs: 0,
    recordsVerified: 0,
    bytesVerified: 0,
    corruptCount: 0,
    unreadableCount: 0,
    repairedCount: 0,
    isOnDemand: false,
    bytesTotal: 100,
    secondsLeft: null,
    last: null,
    oldestUnverifiedSeconds: 10 * DAY,
    roundSeconds: 30 * DAY,
    ...scrub,
  },
});

test.each<[string, DriveIntegrity, string[]]>([
  ["nothing is wrong", drive("pod 3"), []],
  ["an agent of an earlier version", { drive: "pod 3", damage: null, scrub: null }, []],
  ["a drive that is not running", drive("pod 3", { corruptCount: null }), []],
  [
    "one corrupt record",
    drive("pod 3", { corruptCount: 1 }),
    ["pod 3: 1 record fails its checksum and waits for repair."],
  ],
  [
    "corrupt records",
    drive("pod 3", { corruptCount: 7196 }),
    ["pod 3: 7,196 records fail their checksum and wait for repair."],
  ],
  [
    "correlated damage",
    drive("pod 3", { corruptCount: 90, isCorrelated: true }),
    [
      "pod 3: many records were found corrupt at once (90 records now), so each repair waits for minutes; check its controller, cable and memory.",
    ],
  ],
  [
    "records that cannot be read",
    drive("stash device 2", { unreadableCount: 4 }),
    ["stash device 2: 4 records could not be read; check the kernel's log and smartctl -a."],
  ],
  ["just below two rounds", drive("pod 3", {}, { oldestUnverifiedSeconds: 60 * DAY }), []],
  [
    "more than two rounds",
    drive("pod 3", {}, { oldestUnverifiedSeconds: 61 * DAY }),
    ["pod 3: some data was last verified 61 d 0 h ago, and a round takes 30 d 0 h; run vault scrub."],
  ],
])("%s", (_, given, problems) => {
  expect(integrityProblems(given)).toEqual(problems);
});

test("reports the drive whose data was verified longest ago for the vault", () => {
  const drives = [drive("pod 3"), drive("pod 4", {}, { oldestUnverifiedSeconds: 12 * DAY }), drive("pod 5")];
  expect(describeScrub(drives, 3)).toBe(
    "All data was verified, or written, within the last 12 d 0 h (pod 4).",
  );
});

test("makes no claim about drives that do not report", () => {
  expect(describeScrub([drive("pod 3"), drive("pod 4", {}, null)], 20)).toBe(
    "All data of 1 of 20 drives was verified, or written, within the last 10 d 0 h (pod 3).",
  );
});

test("counts requested rounds together, and leaves out scheduled ones", () => {
  const asked = (bytesVerified: number) => drive("pod 4", {}, { isOnDemand: true, bytesVerified });
  expect(describeScrub([drive("pod 3", {}, { bytesVerified: 90 }), asked(20), asked(50)], 3)).toMatch(
    /\. 2 drives are being scrubbed on demand, 35\.0 % done\.$/,
  );
  expect(describeScrub([asked(20)], 1)).toMatch(/1 drive is being scrubbed on demand, 20\.0 % done\.$/);
});

test("shows nothing for a vault whose agents do not report it", () => {
  expect(describeScrub([drive("pod 3", {}, null)], 1)).toBeNull();
  expect(describeScrub([], 3)).toBeNull();
});

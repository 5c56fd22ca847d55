import type { CoordinatorSpace } from "@stashlight/contracts/health";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import type { DriveHealth } from "./health.ts";
import { renderStatus } from "./render.ts";
import { buildStatusReport, type NodeAnswer, type NodeAnswers } from "./report.ts";

const file = smallVault("small", { podNodeCount: 3, stashNodeCount: 2 });

const log = {
  recordsLive: 1200,
  bytesTotal: 4_000_000,
  bytesLive: 200_000,
  bytesUsed: 500_000,
  dataBytesMax: 1_004_096,
  dataBytesFree: 754_096,
};

type Change = (drive: DriveHealth) => DriveHealth;

function allWell(
  { nodes }: VaultFile,
  change: Change = (drive) => drive,
  space: CoordinatorSpace = { takenBytes: 500_000, capacityBytes: 2_000_000 },
): NodeAnswers {
  const drives = nodes.flatMap((node): [string, NodeAnswer<readonly DriveHealth[]>][] => {
    if (node.role === "coordinator") return [];
    const lifecycle = node.role === "pod" ? "settled" : "serving";
    const health = node.drives.map(({ driveId }) => {
      return change({ driveId, state: { type: "running", lifecycle }, log });
    });
    return [[node.id, { type: "up", unreadiness: null, health }]];
  });
  const health = { settledPodCount: 3, neededPodCount: 2, openRequestCount: 4, space };
  return {
    coordinators: new Map([["coordinator-1", { type: "up", unreadiness: null, health }]]),
    drives: new Map(drives),
  };
}

test("a healthy vault accepts uploads and has no problems", () => {
  const report = buildStatusReport(file, allWell(file));
  expect(report).toMatchObject({ name: "small", scheme: "2+1", isReady: true, problems: [] });
  expect(report.pods.map(({ index, state }) => [index, state])).toEqual([
    [0, "settled"],
    [1, "settled"],
    [2, "settled"],
  ]);
  expect(renderStatus(report).join("\n")).toMatchInlineSnapshot(`
    "Vault small, 2+1, epoch 1: accepts uploads
    25 % full: 500 kB used of 2 MB for objects; 1.5 MB of 12 MB on drives, parity and garbage included

    COORDINATOR    STATE  PODS SETTLED  OPEN REQUESTS  S3
    coordinator-1  ready  3 of 3                    4  http://127.0.0.1:20012

    POD  NODE   STATE    FILL  LIVE RECORDS
      0  pod-1  settled  25 %         1,200
      1  pod-2  settled  25 %         1,200
      2  pod-3  settled  25 %         1,200

    STASH  NODE     STATE    OCCUPANCY  LIVE RECORDS
        0  stash-1  serving        5 %         1,200
        1  stash-2  serving        5 %         1,200

    3 of 3 pods settled, 2 of 2 stash devices serving 2,400 live records; 0 problems.
    All 3 pods hold all their shards: 2.9 nines a year (2.5 to 3.9).
    Modelled; assumes first: 5 % of failures take 2 drives at once."
  `);
});

test("reports a silent node with its address as a problem, and its content as a gap", () => {
  const answers = allWell(file);
  const drives = new Map(answers.drives).set("pod-2", { type: "silent", reason: "ECONNREFUSED" });
  const report = buildStatusReport(file, { ...answers, drives });
  expect(report.problems).toEqual(["pod-2 does not answer on 127.0.0.1:20003 (ECONNREFUSED)."]);
  // Problems come first.
  expect(report.pods[0]).toMatchObject({ index: 1, state: "silent", takenShare: null });
  expect(report.isReady).toBe(true);
});

test.each([
  [["stash-1"], "1 of 2 stash devices serving, at least 1,200 live records; 1 problem."],
  [["stash-1", "stash-2"], "0 of 2 stash devices serving, live records unknown; 2 problems."],
])("counts no live records of the silent %j", (silent, expected) => {
  const answers = allWell(file);
  const reason: NodeAnswer<readonly DriveHealth[]> = { type: "silent", reason: "ECONNREFUSED" };
  const drives = new Map([...answers.drives, ...silent.map((node) => [node, reason] as const)]);
  const lines = renderStatus(buildStatusReport(file, { ...answers, drives }));
  expect(lines.find((line) => line.includes("stash device"))).toBe(`3 of 3 pods settled, ${expected}`);
});

test("reports failed drives, and drives unknown to their node, as problems", () => {
  const [first, second] = file.nodes.flatMap((node) => (node.role === "pod" ? node.drives : []));
  const failed = { type: "failed", reason: "a sync failed." };
  const answers = allWell(file, (drive) => {
    if (drive.driveId === first?.driveId) return { ...drive, state: failed, log: null };
    return drive.driveId === second?.driveId ? { ...drive, driveId: "another" } : drive;
  });
  expect(buildStatusReport(file, answers).problems).toEqual([
    "pod 0 on pod-1 is failed: a sync failed.",
    "pod 1 on pod-2 is not known to its node.",
  ]);
});

test("a vault whose coordinator waits for pods accepts no uploads", () => {
  const reason = "1 pod has settled; uploads need 2.";
  const health = { settledPodCount: 1, neededPodCount: 2, openRequestCount: 0 };
  const coordinators = new Map([["coordinator-1", { type: "up", unreadiness: reason, health } as const]]);
  const report = buildStatusReport(file, { ...allWell(file), coordinators });
  expect(report).toMatchObject({ isReady: false, problems: [`coordinator-1: ${reason}`] });
  expect(renderStatus(report)[0]).toBe("Vault small, 2+1, epoch 1: accepts no uploads");
});

test("a pod that no coordinator counts holds no shards for anyone, although it answers that it has settled", () => {
  const reason = "1 pod has settled; uploads need 2.";
  const health = { settledPodCount: 1, unsettledPods: [0, 1], neededPodCount: 2, openRequestCount: 0 };
  const coordinators = new Map([["coordinator-1", { type: "up", unreadiness: reason, health } as const]]);
  const lines = renderStatus(buildStatusReport(file, { ...allWell(file), coordinators }));
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "Vault small, 2+1, epoch 1: accepts no uploads

    ! coordinator-1: 1 pod has settled; uploads need 2.
    ! pod 0 on pod-1 answers, but no coordinator counts it as settled yet.
    ! pod 1 on pod-2 answers, but no coordinator counts it as settled yet.

    COORDINATOR    STATE      PODS SETTLED  OPEN REQUESTS  S3
    coordinator-1  not ready  1 of 3                    0  http://127.0.0.1:20012

    POD  NODE   STATE        FILL  LIVE RECORDS
      0  pod-1  not counted  25 %         1,200
      1  pod-2  not counted  25 %         1,200
      2  pod-3  settled      25 %         1,200

    STASH  NODE     STATE    OCCUPANCY  LIVE RECORDS
        0  stash-1  serving        5 %         1,200
        1  stash-2  serving        5 %         1,200

    1 of 3 pods settled, 2 of 2 stash devices serving 2,400 live records; 3 problems.
    2 of 3 pods are away, and 2+1 tolerates 1: objects that lack 2 shards cannot be read until pods are back.
    Modelled; assumes first: 5 % of failures take 2 drives at once."
  `);
});

test("a coordinator that has just started and has seen no pod yet considers none away", () => {
  const health = { settledPodCount: 0, unsettledPods: [0, 1, 2], neededPodCount: 2, openRequestCount: 0 };
  const coordinators = new Map([["coordinator-1", { type: "up", unreadiness: "starting", health } as const]]);
  const lines = renderStatus(buildStatusReport(file, { ...allWell(file), coordinators })).join("\n");
  expect(lines).toContain("All 3 pods hold all their shards");
  expect(lines).not.toContain("away");
  expect(lines).toContain("! pod 2 on pod-3 answers, but no coordinator counts it as settled yet.");
});

test.each([
  [[[0], [1]], true],
  [[[0, 2], [0]], false],
  [[[0], undefined], true],
] as const)(
  "with coordinators that do not see the pods %j, it is %s that one of them counts pod 0",
  (lists, isCounted) => {
    const coordinators = new Map(
      lists.map((unsettledPods, at) => {
        const health = {
          settledPodCount: 3 - (unsettledPods?.length ?? 0),
          ...(unsettledPods && { unsettledPods: [...unsettledPods] }),
          neededPodCount: 2,
          openRequestCount: 0,
        };
        return [`coordinator-${at + 1}`, { type: "up", unreadiness: null, health } as const];
      }),
    );
    const { pods } = buildStatusReport(file, { ...allWell(file), coordinators });
    expect(pods.find(({ index }) => index === 0)).toMatchObject({ isWell: true, isCounted });
  },
);

test("a vault accepts uploads while one of its coordinators does", () => {
  const second = file.nodes.flatMap((node) =>
    node.role === "coordinator" ? [{ ...node, id: "coordinator-2" }] : [],
  );
  const two: VaultFile = { ...file, nodes: [...file.nodes, ...second] };
  const health = { settledPodCount: 3, neededPodCount: 2, openRequestCount: 0 };
  const of = (unreadiness: string | null) => ({ type: "up", unreadiness, health }) as const;
  const coordinators = new Map([
    ["coordinator-1", of(null)],
    ["coordinator-2", of("1 pod has settled; uploads need 2.")],
  ]);
  const [first] = renderStatus(buildStatusReport(two, { ...allWell(two), coordinators }));
  expect(first).toBe("Vault small, 2+1, epoch 1: accepts uploads at 1 of 2 coordinators");
});

test("marks drives whose speed or durability is modelled", () => {
  const nodes = file.nodes.map((node) =>
    node.role === "pod"
      ? { ...node, drives: node.drives.map((drive) => ({ ...drive, disk: "drill" as const })) }
      : node,
  );
  const drills = { ...file, nodes };
  const lines = renderStatus(buildStatusReport(drills, allWell(drills)));
  expect(lines.filter((line) => line.endsWith("drill drive"))).toHaveLength(3);
});

test("reports unreadable objects as a problem, and names the command that lists them", () => {
  const { problems, lostObjectCount } = buildStatusReport(file, allWell(file), { lostObjectCount: 4 });
  expect([lostObjectCount, problems]).toEqual([
    4,
    ["4 objects cannot be read until drives come back; vault lost names them and the drives."],
  ]);
});

const filled = (takenBytes: number) =>
  buildStatusReport(file, allWell(file, undefined, { takenBytes, capacityBytes: 1_000_000 }));

test("reports a filling vault with advice, and without its own forecast", () => {
  expect(filled(870_000).problems).toEqual([
    "Vault small is 87 % full. Delete objects, or stop and start with --vault-size above 0.1GB.",
  ]);
});

test("reports no problem for a vault with space", () => {
  expect(filled(790_000).problems).toEqual([]);
});

test("a vault that is nearly full still accepts uploads, and warns that it soon will not", () => {
  const report = filled(960_000);
  expect(report.problems).toEqual([
    "Vault small is 96 % full: objects larger than the free space are refused. Delete objects, or stop and start with --vault-size above 0.1GB.",
  ]);
  expect(renderStatus(report)[0]).toBe("Vault small, 2+1, epoch 1: accepts uploads");
});

test("the first line of a full vault reports that it is full, and what it still accepts", () => {
  const report = filled(1_000_000);
  expect(report.problems).toEqual([
    "Vault small is 100 % full: new objects are refused. Delete objects, or stop and start with --vault-size above 0.1GB.",
  ]);
  expect(renderStatus(report)[0]).toBe("Vault small, 2+1, epoch 1: full; accepts reads and deletes");
});

test("the remedy for a vault of several machines is in its file", () => {
  const nodes = file.nodes.map((node) => ({ ...node, host: "10.0.0.7" }));
  const away = { ...file, nodes };
  const answers = allWell(away, undefined, { takenBytes: 900_000, capacityBytes: 1_000_000 });
  expect(buildStatusReport(away, answers).problems).toEqual([
    "Vault small is 90 % full. Delete objects, or raise podVolume.segmentCount above 4 in the vault's file and start the pods again.",
  ]);
});

test("a vault without memory for its index is full, although its drives have space", () => {
  const index = { records: 3_912_345, recordsMax: 3_912_345, share: 1.01 };
  const report = buildStatusReport(
    file,
    allWell(file, (drive) => ({ ...drive, index })),
  );
  expect(report.problems).toEqual([
    "Vault small refuses new objects: its pods have no memory left for index entries. Give the agents a larger heap, delete objects or add a vault.",
  ]);
  expect(renderStatus(report).slice(0, 3)).toEqual([
    "Vault small, 2+1, epoch 1: full; accepts reads and deletes",
    "25 % full: 500 kB used of 2 MB for objects; 1.5 MB of 12 MB on drives, parity and garbage included",
    "3,912,345 records on the fullest pod; up to about 3.9 million per pod",
  ]);
});

test("a stash device in quarantine is shown with its start and operator, even while its node is silent", () => {
  const quarantine = { sinceMs: Date.UTC(2026, 10, 29, 14, 5), by: "ann@desk" };
  const [device] = file.nodes.flatMap((node) => (node.role === "stash" ? node.drives : []));
  const answers = allWell(file, (drive) =>
    drive.driveId === device?.driveId ? { ...drive, quarantine } : drive,
  );
  const line =
    "s0 has been in quarantine since 2026-11-29 14:05 UTC (by ann@desk) and gets no new shards. vault release s0 ends the quarantine.";
  expect(renderStatus(buildStatusReport(file, answers))).toContain(line);
  const nodes = file.nodes.map((node) =>
    node.role === "stash"
      ? { ...node, drives: node.drives.map((drive) => (drive === device ? { ...drive, quarantine } : drive)) }
      : node,
  );
  const silent = { coordinators: new Map(), drives: new Map() };
  expect(renderStatus(buildStatusReport({ ...file, nodes }, silent))).toContain(line);
  expect(renderStatus(buildStatusReport(file, allWell(file))).join()).not.toContain("quarantine");
});

test("reports the index of a pod whose file cannot be written, with what to do", () => {
  const [first] = file.nodes.flatMap((node) => (node.role === "pod" ? node.drives : []));
  const answers = allWell(file, (drive) => {
    const error = drive.driveId === first?.driveId ? "ENOSPC: no space left on device, write" : null;
    return { ...drive, indexPages: { heldBytes: 20e6, fileBytes: 0, error } };
  });
  expect(buildStatusReport(file, answers).problems).toEqual([
    "The index of pod 0 on pod-1 stays in memory, because its file cannot be written (ENOSPC: no space left on device, write). Free space on that file system, or give the agent another with --index-folder.",
  ]);
});

import { formatFill, judgeIndex } from "@stashlight/contracts/space";
import { type Column, renderTable } from "../table.ts";
import { counted, formatCount } from "../units.ts";
import { describeFill, describeIndexUse } from "./fill.ts";
import type { MachineReport } from "./machines.ts";
import { describeDrain, describeProgress, progressLines } from "./progress.ts";
import { describeQuarantine } from "./quarantine.ts";
import type { CoordinatorReport, DriveReport, StatusReport } from "./report.ts";

export function renderStatus(report: StatusReport): string[] {
  const { name, scheme, epoch, problems, podCount } = report;
  return [
    `Vault ${name}, ${scheme}, epoch ${epoch}: ${describeState(report)}`,
    ...(report.fill === null ? [] : [describeFill(report.fill)]),
    ...(report.index === null ? [] : [describeIndexUse(report.index)]),
    ...(problems.length === 0 ? [] : ["", ...problems.map((problem) => `! ${problem}`)]),
    ...(report.machines.length === 0
      ? []
      : ["", ...renderTable(MACHINE_COLUMNS, report.machines.map(machineCells))]),
    "",
    ...renderTable(
      COORDINATOR_COLUMNS,
      report.coordinators.map((row) => coordinatorCells(row, podCount)),
    ),
    "",
    ...renderDrives("POD", report.pods),
    "",
    ...renderDrives("STASH", report.stash),
    "",
    vaultSummary(report),
    ...(report.scrub === null ? [] : [report.scrub]),
    ...operationLines(report),
    ...durabilityLines(report),
  ];
}

function describeState({ isReady, coordinators, fill, index }: StatusReport): string {
  const readyCount = coordinators.filter((coordinator) => coordinator.isReady).length;
  if (readyCount === 0) return "accepts no uploads";
  const isFull = fill?.share === 1 || (index !== null && judgeIndex(index) === "bad");
  if (isFull) return "full; accepts reads and deletes";
  return isReady
    ? "accepts uploads"
    : `accepts uploads at ${readyCount} of ${counted(coordinators.length, "coordinator")}`;
}

const MACHINE_COLUMNS: readonly Column[] = [
  { title: "MACHINE" },
  { title: "ADDRESS" },
  { title: "ZONE" },
  { title: "NODES" },
  { title: "CERTIFICATES UNTIL" },
  { title: "CLOCK", isRight: true },
];

function machineCells(row: MachineReport): string[] {
  const { machine, host, zone, nodeCount, answeringCount, validUntilMs, skewMs } = row;
  return [
    machine,
    host,
    zone ?? MISSING,
    `${answeringCount} of ${nodeCount} answer`,
    validUntilMs === null ? MISSING : new Date(validUntilMs).toISOString().slice(0, 10),
    skewMs === null ? MISSING : `${skewMs > 0 ? "+" : ""}${(skewMs / 1000).toFixed(1)} s`,
  ];
}

const COORDINATOR_COLUMNS: readonly Column[] = [
  { title: "COORDINATOR" },
  { title: "STATE" },
  { title: "PODS SETTLED" },
  { title: "OPEN REQUESTS", isRight: true },
  { title: "S3" },
];

function coordinatorCells(row: CoordinatorReport, podCount: number): string[] {
  const { node, isReady, settledPodCount, openRequestCount, s3 } = row;
  const state = settledPodCount === null ? "silent" : isReady ? "ready" : "not ready";
  return [
    node,
    state,
    settledPodCount === null ? MISSING : `${settledPodCount} of ${podCount}`,
    openRequestCount === null ? MISSING : formatCount(openRequestCount),
    s3,
  ];
}

/** A missing value is a gap, never a zero. */
const MISSING = "-";

function renderDrives(title: string, drives: readonly DriveReport[]): string[] {
  const hasNotes = drives.some(({ note }) => note !== null);
  const columns: Column[] = [
    { title, isRight: true },
    { title: "NODE" },
    { title: "STATE" },
    { title: title === "POD" ? "FILL" : "OCCUPANCY", isRight: true },
    { title: "LIVE RECORDS", isRight: true },
    ...(hasNotes ? [{ title: "NOTE" }] : []),
  ];
  const rows = drives.map(({ index, node, state, isCounted, takenShare, liveRecordCount, note }) => [
    String(index),
    node,
    isCounted ? state : "not counted",
    takenShare === null ? MISSING : formatFill(takenShare),
    liveRecordCount === null ? MISSING : formatCount(liveRecordCount),
    ...(hasNotes ? [note ?? ""] : []),
  ]);
  return renderTable(columns, rows);
}

/** Only while shards are missing, a stash server is draining, or a device is in quarantine. */
function operationLines(report: StatusReport): string[] {
  const { pods, stash } = report;
  const isMissing = pods.some(({ missing }) => (missing?.shardCount ?? 0) > 0);
  const draining = Map.groupBy(
    stash.filter((device) => device.draining !== null),
    ({ node }) => node,
  );
  return [
    ...(isMissing ? [describeProgress(progressLines(report), report)] : []),
    ...stash.flatMap(({ index, quarantine }) =>
      quarantine === null ? [] : [describeQuarantine(`s${index}`, quarantine)],
    ),
    ...[...draining].map(([nodeId, devices]) =>
      describeDrain(
        nodeId,
        devices.flatMap((device) => device.draining ?? []),
      ),
    ),
  ];
}

/** The sentence, the advice, and the assumption that moves the values most. */
function durabilityLines({ durability }: StatusReport): string[] {
  const { sentence, remedy, assumptions } = durability;
  const [first] = assumptions;
  return [
    sentence,
    ...(remedy === null ? [] : [remedy]),
    ...(first === undefined ? [] : [`Modelled; assumes first: ${first}`]),
  ];
}

function vaultSummary({ pods, stash, problems }: StatusReport): string {
  const wellPodCount = pods.filter(({ isWell, isCounted }) => isWell && isCounted).length;
  const wellDeviceCount = stash.filter(({ isWell }) => isWell).length;
  return (
    `${wellPodCount} of ${counted(pods.length, "pod")} settled, ` +
    `${wellDeviceCount} of ${counted(stash.length, "stash device")} serving` +
    `${describeLiveRecords(stash)}; ${counted(problems.length, "problem")}.`
  );
}

/** A device that does not answer may hold records, so nothing is claimed about it. */
function describeLiveRecords(stash: readonly DriveReport[]): string {
  const known = stash.flatMap(({ liveRecordCount }) => (liveRecordCount === null ? [] : [liveRecordCount]));
  const sum = counted(
    known.reduce((all, count) => all + count, 0),
    "live record",
  );
  if (known.length === stash.length) return ` ${sum}`;
  return known.length === 0 ? ", live records unknown" : `, at least ${sum}`;
}

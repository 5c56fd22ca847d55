/** Tables of failure rates and drives. */
import { estimatePublishedRate, rateInWords } from "@stashlight/planner";
import { renderTable } from "../table.ts";
import type { ImportedQuarter } from "./totals.ts";

const counted = (value: number): string => value.toLocaleString("en");

/** Sums the quarters by model; the most drive days come first. */
export function renderCounts(quarters: readonly ImportedQuarter[]): string[] {
  const sums = new Map<string, { driveDays: number; failures: number }>();
  for (const { model, driveDays, failures } of quarters.flatMap(({ models }) => models)) {
    const sum = sums.get(model) ?? { driveDays: 0, failures: 0 };
    sums.set(model, { driveDays: sum.driveDays + driveDays, failures: sum.failures + failures });
  }
  const rows = [...sums].toSorted(([, a], [, b]) => b.driveDays - a.driveDays);
  return renderTable(
    [
      { title: "MODEL" },
      { title: "DRIVE DAYS", isRight: true },
      { title: "FAILURES", isRight: true },
      { title: "AFR (95 % INTERVAL)", isRight: true },
    ],
    rows.map(([model, counts]) => [
      model,
      counted(counts.driveDays),
      counted(counts.failures),
      rateInWords(estimatePublishedRate(counts)),
    ]),
  );
}

export interface ListedDrive {
  readonly model: string;
  readonly serial: string;
  readonly node: string;
  readonly device: string;
  readonly state: string;
  readonly daysSeen: number;
  readonly lastSeenOn: string;
  readonly isGone: boolean;
}

export interface SlowDrive {
  readonly vault: string;
  readonly node: string;
  readonly drive: string;
  readonly sentence: string;
}

export interface ListedModel {
  readonly model: string;
  readonly installedCount: number;
  readonly own: { readonly driveDays: number; readonly failures: number };
  readonly rate: { readonly value: number; readonly low: number; readonly high: number };
  readonly sentence: string;
}

export function renderDrives(drives: readonly ListedDrive[], slow: readonly SlowDrive[]): string[] {
  const isSlow = ({ node, device }: ListedDrive): boolean =>
    slow.some((other) => other.node === node && other.drive === device);
  if (drives.length === 0) {
    return ["No drives recorded yet. HDDs are recorded once per hour while their machines report them."];
  }
  return renderTable(
    [
      { title: "SERIAL" },
      { title: "MODEL" },
      { title: "NODE" },
      { title: "DEVICE" },
      { title: "STATE" },
      { title: "DAYS SEEN", isRight: true },
      { title: "LAST SEEN" },
    ],
    drives.map((drive) => [
      drive.serial || "unknown",
      drive.model || "unknown",
      drive.node,
      drive.device,
      `${drive.state === "in-use" && drive.isGone ? "gone" : drive.state}${isSlow(drive) ? ", slow" : ""}`,
      counted(drive.daysSeen),
      drive.lastSeenOn,
    ]),
  );
}

/** Names SSDs as well, which the table leaves out because they have no failure rate. */
export const renderSlowDrives = (slow: readonly SlowDrive[]): string[] =>
  slow.map(({ vault, node, sentence }) => `! ${vault}, ${node}: ${sentence}`);

/** One line for each model of the fleet, with the counts behind its rate. */
export const renderModels = (models: readonly ListedModel[]): string[] =>
  models
    .filter(({ installedCount, own }) => installedCount > 0 || own.driveDays > 0)
    .map(
      ({ model, installedCount, rate, sentence }) =>
        `${model || "Unknown model"}: ${rateInWords(rate)} per drive-year, ${installedCount} in use; ${sentence}`,
    );

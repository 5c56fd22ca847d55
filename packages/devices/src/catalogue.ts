/**
 * Drives with published figures. Each figure has a source and a date, because a plan is only as good as its figures: a
 * `datasheet` figure is the maker's promise, a `published` one is another party's price or statistic, an `assumption`
 * is Stashlight's own until a measurement replaces it. No datasheet gives the cost of an fdatasync, and the catalogue
 * does not assume one.
 */
import { assert } from "./assert.ts";
import { customDevice } from "./custom.ts";
import type { DeviceKind, ServiceModel } from "./service-model.ts";

export interface Figure {
  readonly value: number;
  readonly basis: "datasheet" | "published" | "assumption";
  readonly source: string;
  /** Month of the document or of the assumption, `YYYY-MM`. */
  readonly asOf: string;
}

export interface CatalogueDrive {
  readonly id: DriveId;
  readonly maker: string;
  readonly model: string;
  readonly modelNumber: string;
  readonly kind: DeviceKind;
  readonly capacityBytes: Figure;
  readonly readBytesPerSecond: Figure;
  readonly writeBytesPerSecond: Figure;
  readonly readLatencyUs: Figure;
  readonly writeLatencyUs: Figure;
  readonly read4kIops: Figure;
  readonly write4kIops: Figure;
  readonly flushUs: Figure;
  /** Null if the maker rates no drive writes per day. */
  readonly driveWritesPerDay: Figure | null;
  readonly warrantyYears: Figure;
  /** Price of one drive, in US dollars. */
  readonly priceUsd: Figure;
  /** Share of these drives that fail in a year. */
  readonly annualFailureRate: Figure;
  readonly hasPowerLossProtection: boolean;
}

export type DriveId = "seagate-exos-x16-16tb" | "micron-7450-max-3.2tb";

type FigureOf = (value: number) => Figure;

function datasheet(source: string, asOf: string): FigureOf {
  return (value) => ({ value, basis: "datasheet", source, asOf });
}

function published(source: string, asOf: string): FigureOf {
  return (value) => ({ value, basis: "published", source, asOf });
}

function assumption(source: string, asOf: string): FigureOf {
  return (value) => ({ value, basis: "assumption", source, asOf });
}

const exos = datasheet("Seagate Exos X16 datasheet, as printed in the published comparison", "2020-07");
const micron = datasheet("Micron 7450 MAX datasheet, as printed in the published comparison", "2022-03");
const rotation = assumption(
  "Mean rotational wait only, as in the published comparison; 170 IOPS correspond to 5.9 ms",
  "2020-07",
);
const price = published("Price in the published comparison; prices change, so ask for an offer", "2023-11");

/** Assumed failure rate of drives without known failures. */
export const annualFailureRates: Readonly<Record<DeviceKind, Figure>> = {
  hdd: published("Backblaze Drive Stats, quarter 3 of 2025, all data drives", "2025-09")(0.0155),
  ssd: assumption("From an MTTF of 2 million hours: 8,760 h in a year / 2,000,000 h", "2022-03")(0.0044),
};

const unmeasured = assumption("No datasheet contains it; measure it with the probe", "2022-03");

export const driveCatalogue: readonly CatalogueDrive[] = [
  {
    id: "seagate-exos-x16-16tb",
    maker: "Seagate",
    model: "Exos X16",
    modelNumber: "ST16000NM001G",
    kind: "hdd",
    capacityBytes: exos(16e12),
    readBytesPerSecond: exos(261e6),
    writeBytesPerSecond: exos(261e6),
    readLatencyUs: rotation(4200),
    writeLatencyUs: rotation(4200),
    read4kIops: exos(170),
    write4kIops: exos(170),
    flushUs: unmeasured(0),
    driveWritesPerDay: null,
    warrantyYears: assumption("Usual term of nearline disks; depends on the seller", "2020-07")(5),
    priceUsd: price(260),
    annualFailureRate: annualFailureRates.hdd,
    hasPowerLossProtection: false,
  },
  {
    id: "micron-7450-max-3.2tb",
    maker: "Micron",
    model: "7450 MAX",
    modelNumber: "MTFDKCB3T2TFS",
    kind: "ssd",
    capacityBytes: micron(3.2e12),
    readBytesPerSecond: micron(6800e6),
    writeBytesPerSecond: micron(5300e6),
    readLatencyUs: micron(80),
    writeLatencyUs: micron(15),
    read4kIops: micron(1_000_000),
    write4kIops: micron(390_000),
    flushUs: unmeasured(0),
    driveWritesPerDay: datasheet("Micron 7450 MAX, mixed use, at launch", "2022-03")(3),
    warrantyYears: assumption("Usual term of data centre SSDs; depends on the seller", "2022-03")(5),
    priceUsd: price(360),
    annualFailureRate: annualFailureRates.ssd,
    hasPowerLossProtection: true,
  },
];

export function findDrive(id: DriveId): CatalogueDrive {
  const drive = driveCatalogue.find((candidate) => candidate.id === id);
  assert(drive !== undefined, `The catalogue has no drive "${id}".`);
  return drive;
}

export function catalogueModel(id: DriveId): ServiceModel {
  const drive = findDrive(id);
  const iops =
    drive.kind === "ssd" ? { readIops: drive.read4kIops.value, writeIops: drive.write4kIops.value } : {};
  return customDevice({
    name: `${drive.maker} ${drive.model}`,
    kind: drive.kind,
    capacityBytes: drive.capacityBytes.value,
    readBytesPerSecond: drive.readBytesPerSecond.value,
    writeBytesPerSecond: drive.writeBytesPerSecond.value,
    readLatencyUs: drive.readLatencyUs.value,
    writeLatencyUs: drive.writeLatencyUs.value,
    flushUs: drive.flushUs.value,
    hasPowerLossProtection: drive.hasPowerLossProtection,
    ...iops,
  });
}

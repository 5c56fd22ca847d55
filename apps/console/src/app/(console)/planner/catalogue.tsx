"use client";
import {
  allowedMeanWriteBytesPerSecond,
  type CatalogueDrive,
  driveCatalogue,
  type Figure,
} from "@stashlight/devices";
import { bytesInWords, figureInWords } from "@stashlight/planner";
import { Section } from "@stashlight/ui/layout";
import { FigureTable } from "./figure-table.tsx";

type Read = readonly [
  name: string,
  of: (drive: CatalogueDrive) => Figure | null,
  say: (value: number) => string,
];

const rate = (value: number): string => `${bytesInWords(value)}/s`;
const micros = (value: number): string => `${figureInWords(value)} µs`;

const reads: readonly Read[] = [
  ["Capacity", ({ capacityBytes }) => capacityBytes, bytesInWords],
  ["Sequential read", ({ readBytesPerSecond }) => readBytesPerSecond, rate],
  ["Sequential write", ({ writeBytesPerSecond }) => writeBytesPerSecond, rate],
  ["Random read, 4 KiB", ({ read4kIops }) => read4kIops, (value) => `${figureInWords(value)} IOPS`],
  ["Random write, 4 KiB", ({ write4kIops }) => write4kIops, (value) => `${figureInWords(value)} IOPS`],
  ["Latency of a write", ({ writeLatencyUs }) => writeLatencyUs, micros],
  ["Endurance", ({ driveWritesPerDay }) => driveWritesPerDay, (value) => `${figureInWords(value)} DWPD`],
  ["Warranty", ({ warrantyYears }) => warrantyYears, (value) => `${figureInWords(value)} years`],
];

/** Drives as they are sold, with where each figure is from and as of when. */
export function DriveCatalogue() {
  return (
    <Section
      title="Drives of the catalogue"
      description="What makers print, and what is assumed where they print nothing. How quickly a drive syncs is in no datasheet: measure it."
    >
      <FigureTable
        label="Drives of the catalogue"
        columns={["Figure", ...driveCatalogue.map(({ maker, model }) => `${maker} ${model}`)]}
        rows={[
          ...reads.map(([name, of, say]) => ({
            name,
            cells: driveCatalogue.map((drive) => <Sourced key={drive.id} figure={of(drive)} say={say} />),
          })),
          {
            name: "Mean write that its endurance allows",
            cells: driveCatalogue.map((drive) => {
              const allowed = allowedMeanWriteBytesPerSecond(drive);
              return allowed === null ? "not rated" : rate(allowed);
            }),
          },
          {
            name: "Protected against power loss",
            cells: driveCatalogue.map(({ hasPowerLossProtection }) =>
              hasPowerLossProtection ? "yes" : "no",
            ),
          },
        ]}
      />
    </Section>
  );
}

function Sourced({ figure, say }: { figure: Figure | null; say: (value: number) => string }) {
  if (figure === null) return "not rated";
  const { value, basis, source, asOf } = figure;
  return (
    <>
      {say(value)}
      <span className="block text-sm text-faint">
        {basis === "assumption" ? "assumed: " : ""}
        {source}, {asOf}
      </span>
    </>
  );
}

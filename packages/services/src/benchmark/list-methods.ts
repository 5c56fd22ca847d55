/** Describes the methods for a form: accepted values come from the schemas, labels and help texts from this file. */
import assert from "node:assert/strict";
import { methods } from "@stashlight/benchmark/methods";
import type { BenchmarkMethodRow, BenchmarkParameter, ParameterUnit } from "@stashlight/contracts/benchmark";
import { z } from "zod";
import { type Context, requireRole } from "../context.ts";

/** Returns every method with its parameters and presets, in the order in which they are offered. */
export async function listBenchmarkMethods({ ctx }: { ctx: Context }): Promise<BenchmarkMethodRow[]> {
  requireRole(ctx, "viewer");
  return methods.map(({ name, version, measures, title, description, parameters, presets }) => ({
    name,
    version,
    measures,
    title,
    description,
    parameters: schemaParameters(parameters),
    presets: presets.map((preset) => ({ ...preset, parameters: { ...preset.parameters } })),
  }));
}

type Words = readonly [label: string, hint?: string];

const words: Record<string, Words> = {
  sizesBytes: ["Sizes", "Each is measured; kB is 1,000 B and KiB is 1,024 B."],
  repetitionCount: ["Repetitions", "Timed uploads of each size."],
  warmUpCount: ["Warm-ups", "For each size, at the beginning; they are not kept."],
  pauseMs: ["Pause", "After each answer; it is not timed."],
  interleavesSizes: [
    "Interleave sizes",
    "In a random order within each repetition, so that a drift affects all sizes equally.",
  ],
  mode: ["Pace", "Closed: each upload waits for the one before. Constant rate: each starts when it is due."],
  ratePerSecond: ["Rate", "Uploads started per second, at a constant rate."],
  connectionCount: ["Connections", "Kept open and used at the same time."],
  pingCount: ["Pings", "TCP connections to the same address, timed."],
  measuresRtt: [
    "RTT beside samples",
    "Sends a ping in each pause of at least 5 ms, over one connection; a late one is abandoned.",
  ],
  timeoutMs: ["Timeout", "Requests that take longer are recorded as timed out."],
  attemptCountMax: ["Attempts", "1 measures each upload without retries."],
  checkedKeyCount: ["Checked uploads", "Number of random objects that are looked up at the end."],
  connectionCounts: ["Connections", "Each number is measured separately."],
  operations: ["Operations"],
  secondsPerLeg: [
    "Time of each part",
    "A part measures one operation at one size with one number of connections.",
  ],
  bytesPerLegMax: ["Bytes of each part", "A part ends before it exceeds this, even if it has time left."],
  dataBytes: ["Data set", "Per machine."],
  blockBytes: ["Block"],
  objectBytes: ["Object size"],
  objectCount: ["Objects", "Uploaded first, and restored over all connections."],
  singleCount: ["Single downloads", "One after the other; the time of the restore is estimated from them."],
  machineCount: ["Machines", "Backed up at the same time, each with its own data set and connections."],
  incrementalCount: ["Incrementals", "Number of incremental backups after the full one; 0 for none."],
  changedShare: ["Share of changed blocks", "From 0.01 to 1 of each machine's blocks, at every incremental."],
  mergesAfter: [
    "Merge into a synthetic full",
    "After the last incremental: writes a manifest per machine and deletes the replaced blocks.",
  ],
  restoresWhileWriting: [
    "Restore one machine",
    "At the end; every byte is checked, and the other machines upload an incremental meanwhile.",
  ],
  windowHours: ["Nightly window", "Each stage, extrapolated to the protected data, is compared with it."],
  protectedBytes: ["Protected data", "For all machines together; used only for the extrapolation."],
  blockSizesBytes: ["Block sizes", "Each is measured; KiB is 1,024 B."],
  queueDepths: ["Queue depths", "Concurrent requests; each depth is measured."],
  cellSeconds: ["Time of each cell", "Maximum; a cell ends as soon as its rate is steady."],
  roundSeconds: [
    "Round",
    "A rate is steady when five rounds agree within 20 % and do not trend by more than 10 %.",
  ],
  runCount: ["Runs", "Runs per cell."],
  coolDownSeconds: ["Cool-down", "Between two cells."],
  checkSeconds: ["Time of the check", "Maximum, at each queue depth."],
  levelSeconds: ["Ends when level for", "0 runs to the end."],
  restSeconds: [
    "Rest",
    "Time without load before the check is repeated, which shows how fast a burst bucket refills. 0 checks only once.",
  ],
  recordSizesBytes: ["Record sizes", "Each record is appended and synced."],
  jobCounts: ["Writers", "Concurrent writers; each number is measured."],
  readShare: ["Share of reads", "From 0 to 0.9 of the requests."],
  passCount: ["Passes", "Times the file is overwritten after the first write."],
  fileBytes: ["Test file", "The file is written completely first, and removed at the end."],
  writtenBytesMax: [
    "Write limit",
    "Limit of a run, including the test file; the run ends when it is reached.",
  ],
  tool: ["Measured with", "auto uses fio if it is installed, and our own reader and writer otherwise."],
  isBuffered: [
    "Through the page cache",
    "Without direct I/O; the test file must then be twice as large as the memory.",
  ],
  isBesideVault: [
    "Beside a vault",
    "Measures even if a stash or pod stores data on the drive, and slows it down; the probe's file must allow this too.",
  ],
  duplicateShare: ["Share of known blocks", "From 0 to 0.99; a block that already exists is not uploaded."],
};

const unitsBySuffix: readonly [RegExp, ParameterUnit][] = [
  [/PerSecond$/, "1/s"],
  [/Bytes(Max)?$|^bytes/, "B"],
  [/Ms$/, "ms"],
  [/Seconds$|^seconds/, "s"],
  [/Hours$/, "h"],
];

/** The part of JSON Schema that the methods use. */
const itemSchema = z.object({
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
});
const propertySchema = itemSchema.extend({ items: itemSchema.optional(), default: z.unknown() });
type PropertySchema = z.infer<typeof propertySchema>;

function schemaParameters(schema: z.ZodType): BenchmarkParameter[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) =>
    toParameter(name, propertySchema.parse(property)),
  );
}

function toParameter(name: string, schema: PropertySchema): BenchmarkParameter {
  const [label, hint = null] = words[name] ?? [undefined];
  assert(label !== undefined, `the parameter ${name} has no words`);
  const base = { name, label, hint };
  const { items } = schema;
  if (schema.type === "boolean")
    return { ...base, kind: "flag", defaultValue: z.boolean().parse(schema.default) };
  if (schema.enum !== undefined) {
    return { ...base, kind: "choice", options: schema.enum, defaultValue: z.string().parse(schema.default) };
  }
  if (items?.enum !== undefined) {
    return {
      ...base,
      kind: "choices",
      options: items.enum,
      defaultValue: z.array(z.string()).parse(schema.default),
    };
  }
  if (items !== undefined) {
    return {
      ...base,
      kind: "numbers",
      ...parameterRange(name, items),
      defaultValue: z.array(z.number()).parse(schema.default),
    };
  }
  return {
    ...base,
    kind: "number",
    ...parameterRange(name, schema),
    defaultValue: z.number().parse(schema.default),
  };
}

function parameterRange(name: string, { type, minimum, maximum }: z.infer<typeof itemSchema>) {
  assert(minimum !== undefined && maximum !== undefined, `the parameter ${name} has no range`);
  const unit = unitsBySuffix.find(([suffix]) => suffix.test(name))?.[1] ?? null;
  return { unit, min: minimum, max: maximum, isInteger: type === "integer" };
}

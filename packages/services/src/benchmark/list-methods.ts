/** Describes the methods for a form: accepted values come from the schemas, labels and help texts from this file. */
import assert from "node:assert/strict";
import { methods } from "@stashlight/benchmark/methods";
import type {
  BenchmarkMethodRow,
  BenchmarkParameter,
  ParameterUnit,
} from "@stashlight/contracts/benchmark/method";
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
  warmUpCount: ["Warm-ups", "Of each size, at the beginning; they are not kept."],
  pauseMs: ["Pause", "After each answer; it is not timed."],
  interleavesSizes: [
    "Sizes take turns",
    "In a random order inside each repetition, so that drifts hit them alike.",
  ],
  mode: ["Pace", "Closed: each waits for the one before. Constant rate: each starts when it is due."],
  ratePerSecond: ["Rate", "Uploads that start a second, at a constant rate."],
  connectionCount: ["Connections", "Kept open and used at the same time."],
  pingCount: ["Pings", "TCP connections to the same address, timed."],
  measuresRtt: [
    "RTT beside samples",
    "A ping in each pause of 5 ms and more, over one connection; one that is late is given up.",
  ],
  timeoutMs: ["Timeout", "What takes longer is kept as timed out."],
  attemptCountMax: ["Attempts", "1 measures each upload as it is, without trying again."],
  checkedKeyCount: ["Checked uploads", "Random objects looked up at the end."],
  connectionCounts: ["Connections", "Each number is measured by itself."],
  operations: ["Operations"],
  secondsPerLeg: ["Time of each part", "Measures one operation at one size over one number of connections."],
  bytesPerLegMax: ["Bytes of each part", "It ends before it passes this, whatever its time."],
  dataBytes: ["Data set", "Of each machine."],
  blockBytes: ["Block"],
  objectBytes: ["Object size"],
  objectCount: ["Objects", "Uploaded first, and restored over all connections."],
  singleCount: ["Single downloads", "One after the other; the time of the restore is estimated from them."],
  machineCount: ["Machines", "Backed up at the same time, each with its own data set and connections."],
  incrementalCount: ["Incrementals", "Backups after the full one that upload what changed; 0 is none."],
  changedShare: ["Share of changed blocks", "From 0.01 to 1 of each machine's blocks, at every incremental."],
  mergesAfter: [
    "Merge into a synthetic full",
    "After the last incremental: writes a manifest a machine and deletes the blocks that were replaced.",
  ],
  restoresWhileWriting: [
    "Restore one machine",
    "At the end; every byte is checked, and the other machines upload an incremental meanwhile.",
  ],
  windowHours: ["Nightly window", "Each stage is held against it, extrapolated to the protected data."],
  protectedBytes: ["Protected data", "Of all machines together; for the extrapolation alone."],
  blockSizesBytes: ["Block sizes", "Each is measured; KiB is 1,024 B."],
  queueDepths: ["Queue depths", "Requests under way at the same time; each is measured."],
  cellSeconds: ["Time of each cell", "At most: a cell ends as soon as its rate is steady."],
  roundSeconds: [
    "Round",
    "A rate is steady when five rounds agree within 20 % and do not trend by more than 10 %.",
  ],
  runCount: ["Runs", "Runs per cell."],
  coolDownSeconds: ["Cool-down", "Between two cells."],
  checkSeconds: ["Time of the check", "At most, at each queue depth."],
  levelSeconds: ["Ends when level for", "0 runs to the end."],
  restSeconds: [
    "Rest",
    "Without load, before the check is made once more: how fast a bucket refills. 0 checks once.",
  ],
  recordSizesBytes: ["Record sizes", "Each record is appended and synced."],
  jobCounts: ["Writers", "At the same time; each number is measured."],
  readShare: ["Share of reads", "From 0 to 0.9 of the requests."],
  passCount: ["Passes", "Times the file is overwritten after the first write."],
  fileBytes: ["Test file", "It is written whole first, and removed at the end."],
  writtenBytesMax: ["Written at most", "In a run, the test file included; then it ends."],
  tool: ["Measured with", "auto is fio where it is installed, and our own reader and writer elsewhere."],
  isBuffered: [
    "Through the page cache",
    "Without direct I/O; the test file must then have twice the memory.",
  ],
  isBesideVault: [
    "Beside a vault",
    "Measures although a stash or pod stores on the drive, and slows it down; the probe's file must allow it, too.",
  ],
  duplicateShare: ["Share of known blocks", "From 0 to 0.99; a block that is there already is not uploaded."],
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

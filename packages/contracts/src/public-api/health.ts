import { z } from "zod";
import { answeredAt, count, instant } from "./field-schemas.ts";

const healthState = z.enum(["good", "warning", "bad", "unknown"]);

const healthCheckSchema = z.object({
  id: z.enum(["database", "migrations", "worker", "jobs", "disk", "audit", "supervision"]),
  title: z.string(),
  state: healthState,
  sentence: z.string(),
  figures: z.array(
    z.object({
      name: z.string(),
      value: z.union([z.number(), z.string()]),
      unit: z.enum(["bytes", "seconds", "milliseconds", "count"]).optional(),
    }),
  ),
  checkedAt: instant,
});

const processSchema = z.object({
  name: z.string(),
  version: z.string(),
  startedAt: instant,
  seenAt: instant,
  rssBytes: count,
});

export const healthAnswer = z.object({
  answeredAt,
  state: healthState.describe("The worse of the two states below; unknown ones are ignored."),
  stashlight: healthState.describe("Stashlight's own state: the worst of its checks."),
  vaults: healthState.describe("The worst state of the vaults, as /vaults explains it."),
  checks: z.array(healthCheckSchema),
  versions: z.object({
    stashlight: z.string(),
    node: z.string(),
    postgres: z.string(),
    schema: z.string(),
  }),
  processes: z.array(processSchema).nullable().describe("Null when they could not be read."),
});

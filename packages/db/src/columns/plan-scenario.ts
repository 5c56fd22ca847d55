import { storedInstant } from "@stashlight/contracts/json";
import type { AskedPlan, PlanReportDocument } from "@stashlight/contracts/planner";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";

/** The planner checks inputs and ranges where it uses them, so any object is accepted here. */
const input = z.record(z.string(), z.unknown());
const ranges = z.array(z.record(z.string(), z.unknown()));
/** The first plans had no ranges: every input was drawn from this share around its figure. */
const AROUND_SHARE_AT_FIRST = 0.2;

const report: z.ZodType<PlanReportDocument> = z.object({
  title: z.string(),
  name: z.string(),
  note: z.string(),
  createdAt: storedInstant,
  input,
  ranges: ranges.default([]),
  aroundShare: z.number().default(AROUND_SHARE_AT_FIRST),
  loadMeasuredSeconds: z.number().nullable().default(null),
});

export const planScenarioColumns = {
  input: jsonColumn<z.ZodType<AskedPlan["input"]>>("plan_scenario.input", input),
  ranges: jsonColumn<z.ZodType<AskedPlan["ranges"]>>("plan_scenario.ranges", ranges),
};

export const planReportColumns = { document: jsonColumn("report_link.document", report) };

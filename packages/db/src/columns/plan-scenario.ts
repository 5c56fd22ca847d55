import type { AskedPlan, PlanReportDocument } from "@stashlight/contracts/planner";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { storedInstant } from "./stored.ts";

/** The planner checks inputs and ranges wherever it uses them, so here they are only objects. */
const input = z.record(z.string(), z.unknown());
const ranges = z.array(z.record(z.string(), z.unknown()));
/** Plans had no ranges at first: all of their inputs were drawn from this far around their figures. */
const AROUND_SHARE_AT_FIRST = 0.2;

const report: z.ZodType<PlanReportDocument> = z.object({
  title: z.string(),
  name: z.string(),
  note: z.string(),
  createdAt: storedInstant,
  input,
  ranges: ranges.default([]),
  aroundShare: z.number().default(AROUND_SHARE_AT_FIRST),
});

export const planScenarioColumns = {
  input: jsonColumn<z.ZodType<AskedPlan["input"]>>("plan_scenario.input", input),
  ranges: jsonColumn<z.ZodType<AskedPlan["ranges"]>>("plan_scenario.ranges", ranges),
};

export const planReportColumns = { document: jsonColumn("report_link.document", report) };

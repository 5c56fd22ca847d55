import { lostObjectSchema } from "@stashlight/contracts/lost-object";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";

export const lostObjectReportColumns = {
  objects: jsonColumn("lost_object_report.objects", z.array(lostObjectSchema)),
};

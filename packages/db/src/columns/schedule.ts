import { jobKinds } from "@stashlight/contracts/schedule";
import { wordColumn } from "./word-column.ts";

export const scheduleColumns = {
  kind: wordColumn("schedule.kind", jobKinds),
};

import { subscribeWeeklyReportInput } from "@stashlight/contracts/user";
import {
  getWeeklyReport,
  sendWeeklyReportNow,
  subscribeWeeklyReport,
} from "@stashlight/services/weekly-report";
import { mutation, mutationWith, query, router } from "../trpc.ts";

export const weeklyReportRouter = router({
  settings: query(getWeeklyReport),
  subscribe: mutationWith(subscribeWeeklyReportInput, subscribeWeeklyReport),
  sendNow: mutation(sendWeeklyReportNow),
});

import { listReportLinksInput, revokeReportLinkInput } from "@stashlight/contracts/report-link";
import { subscribeWeeklyReportInput } from "@stashlight/contracts/user";
import { listReportLinks, revokeReportLink } from "@stashlight/services/report-link";
import {
  getWeeklyReport,
  sendWeeklyReportNow,
  subscribeWeeklyReport,
} from "@stashlight/services/weekly-report";
import { mutation, mutationWith, query, queryWith, router } from "../trpc.ts";

/** Reports are created and read next to their subjects: `benchmarkReport` and `planner`. */
export const reportLinkRouter = router({
  list: queryWith(listReportLinksInput, listReportLinks),
  revoke: mutationWith(revokeReportLinkInput, revokeReportLink),
});

export const weeklyReportRouter = router({
  settings: query(getWeeklyReport),
  subscribe: mutationWith(subscribeWeeklyReportInput, subscribeWeeklyReport),
  sendNow: mutation(sendWeeklyReportNow),
});

export { deliverWeeklyReports } from "./deliver.ts";
export { prepareWeeklyReport } from "./prepare.ts";
export { sendWeeklyReportNow } from "./send-now.ts";
export { getWeeklyReport, subscribeWeeklyReport } from "./settings.ts";

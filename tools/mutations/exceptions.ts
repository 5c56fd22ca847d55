import type { MutationException } from "./check.ts";

const opensReports =
  "anyone with a report's link may read it; the token is in the body so that no log keeps it";
const redeemsLink = "the link's holder is not signed in yet; its token is the authorization";

/** Verbs exempt from a rule on mutations. */
export const mutationExceptions: readonly MutationException[] = [
  { verb: "completeSetup", may: "check no role", because: redeemsLink },
  { verb: "acceptInvitation", may: "check no role", because: redeemsLink },
  { verb: "resetPassword", may: "check no role", because: redeemsLink },
  { verb: "describeLink", may: "check no role", because: redeemsLink },
  {
    verb: "describeLink",
    may: "write no audit event",
    because: "it shows a link's purpose, and redeems nothing",
  },
  { verb: "readPlanReport", may: "check no role", because: opensReports },
  { verb: "readPlanReport", may: "write no audit event", because: "it only reads" },
  { verb: "readBenchmarkReport", may: "check no role", because: opensReports },
  { verb: "readBenchmarkReport", may: "write no audit event", because: "it only reads" },
  { verb: "askBuckets", may: "write no audit event", because: "it only reads" },
  { verb: "previewRules", may: "write no audit event", because: "it only reads" },
  {
    verb: "hideFirstSteps",
    may: "write no audit event",
    because: "it hides a list for its reader alone, and changes nothing for other users",
  },
  {
    verb: "hideFirstSteps",
    may: "change rows outside of its transaction",
    because: "it has no audit event, so its one statement needs no transaction",
  },
  {
    verb: "createBenchmarkReport",
    may: "change rows outside of its transaction",
    because: "expensive answers are cached for the same question, with or without a report",
  },
  {
    verb: "sendWeeklyReportNow",
    may: "change rows outside of its transaction",
    because: "expensive verdicts are cached for the same question",
  },
];

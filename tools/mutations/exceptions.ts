import type { MutationException } from "./check.ts";

const opensReports =
  "whoever has a report's link may read it; the token is in the body so that no log keeps it";
const redeemsLink = "whoever has the link is not signed in yet; the token in it is the right";

/** The verbs that a rule on mutations does not hold for. */
export const mutationExceptions: readonly MutationException[] = [
  { verb: "completeSetup", may: "check no role", because: redeemsLink },
  { verb: "acceptInvitation", may: "check no role", because: redeemsLink },
  { verb: "resetPassword", may: "check no role", because: redeemsLink },
  { verb: "describeLink", may: "check no role", because: redeemsLink },
  {
    verb: "describeLink",
    may: "write no audit event",
    because: "it says what a link is for, and redeems nothing",
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
    because: "it puts a list away for its reader alone, and changes nothing that anybody else sees",
  },
  {
    verb: "hideFirstSteps",
    may: "change rows outside of its transaction",
    because: "it has no audit event, so its one statement needs no transaction",
  },
  {
    verb: "createBenchmarkReport",
    may: "change rows outside of its transaction",
    because: "answers that took long to compute are kept for whoever asks the same again, report or not",
  },
  {
    verb: "sendWeeklyReportNow",
    may: "change rows outside of its transaction",
    because: "verdicts that took long to compute are kept for whoever asks the same again",
  },
];

/** Links through which anyone can read a report as it was when it was created. */
import { z } from "zod";

export const reportFields = {
  title: z.string().trim().min(1, "Enter a title.").max(120, "At most 120 characters."),
  lifetimeDays: z
    .int("Enter a whole number of days.")
    .min(1, "At least a day.")
    .max(366, "At most a year.")
    .default(30),
};
const reportKinds = ["benchmark", "plan"] as const;
/** Subject of a report. */
export type ReportKind = (typeof reportKinds)[number];

export const listReportLinksInput = z.object({ kind: z.enum(reportKinds) });
export const revokeReportLinkInput = listReportLinksInput.extend({
  reportId: z.uuid("There is no such report."),
});
export const readReportInput = z.object({ token: z.string().min(20).max(200) });

export interface ReportLinkRow {
  id: string;
  title: string;
  /** Benchmark plan or scenario of the report, by its name at the time. */
  subjectName: string;
  createdAt: Date;
  createdByName: string;
  expiresAt: Date;
  revokedAt: Date | null;
  isOpen: boolean;
}

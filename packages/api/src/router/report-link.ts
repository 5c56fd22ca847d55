import { listReportLinksInput, revokeReportLinkInput } from "@stashlight/contracts/report-link";
import { listReportLinks, revokeReportLink } from "@stashlight/services/report-link";
import { mutationWith, queryWith, router } from "../trpc.ts";

/** Reports are created and read next to their subjects: `benchmarkReport` and `planner`. */
export const reportLinkRouter = router({
  list: queryWith(listReportLinksInput, listReportLinks),
  revoke: mutationWith(revokeReportLinkInput, revokeReportLink),
});

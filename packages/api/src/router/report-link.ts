import { listReportLinksInput, revokeReportLinkInput } from "@stashlight/contracts/report-link";
import { listReportLinks, revokeReportLink } from "@stashlight/services/report-link";
import { mutationWith, queryWith, router } from "../trpc.ts";

/** Reports are made and read where what they are about is: `benchmarkReport` and `planner`. */
export const reportLinkRouter = router({
  list: queryWith(listReportLinksInput, listReportLinks),
  revoke: mutationWith(revokeReportLinkInput, revokeReportLink),
});

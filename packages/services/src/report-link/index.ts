export { listReportLinks, revokeReportLink } from "./links.ts";

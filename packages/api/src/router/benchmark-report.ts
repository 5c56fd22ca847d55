import { createBenchmarkReportInput } from "@stashlight/contracts/benchmark/result";
import { readReportInput, reportIdInput } from "@stashlight/contracts/report-link";
import {
  createBenchmarkReport,
  listBenchmarkReports,
  readBenchmarkReport,
  revokeBenchmarkReport,
} from "@stashlight/services/benchmark-result";
import { mutationWith, query, router } from "../trpc.ts";

/** Reading is a mutation although it changes nothing: the token stays out of URLs, which logs keep. */
export const benchmarkReportRouter = router({
  list: query(listBenchmarkReports),
  create: mutationWith(createBenchmarkReportInput, createBenchmarkReport),
  revoke: mutationWith(reportIdInput, revokeBenchmarkReport),
  read: mutationWith(readReportInput, readBenchmarkReport),
});

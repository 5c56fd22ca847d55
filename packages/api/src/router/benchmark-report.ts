import { createBenchmarkReportInput } from "@stashlight/contracts/benchmark";
import { readReportInput } from "@stashlight/contracts/report-link";
import { createBenchmarkReport, readBenchmarkReport } from "@stashlight/services/benchmark-result";
import { mutationWith, router } from "../trpc.ts";

/** A mutation although it only reads: this keeps the token out of URLs, which end up in logs. */
export const benchmarkReportRouter = router({
  create: mutationWith(createBenchmarkReportInput, createBenchmarkReport),
  read: mutationWith(readReportInput, readBenchmarkReport),
});

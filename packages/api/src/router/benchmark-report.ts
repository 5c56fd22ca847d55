import { createBenchmarkReportInput } from "@stashlight/contracts/benchmark/report";
import { readReportInput } from "@stashlight/contracts/report-link";
import { createBenchmarkReport, readBenchmarkReport } from "@stashlight/services/benchmark-result";
import { mutationWith, router } from "../trpc.ts";

/** Reading is a mutation although it changes nothing: the token stays out of URLs, which logs keep. */
export const benchmarkReportRouter = router({
  create: mutationWith(createBenchmarkReportInput, createBenchmarkReport),
  read: mutationWith(readReportInput, readBenchmarkReport),
});

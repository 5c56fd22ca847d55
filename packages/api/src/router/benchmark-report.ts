import { createBenchmarkReportInput, readReportInput, reportIdInput } from "@stashlight/contracts";
import {
  createBenchmarkReport,
  listBenchmarkReports,
  readBenchmarkReport,
  revokeBenchmarkReport,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

/** Reading is a mutation although it changes nothing: the token stays out of URLs, which logs keep. */
export const benchmarkReportRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listBenchmarkReports({ ctx })),
  create: procedure
    .input(createBenchmarkReportInput)
    .mutation(({ ctx: { ctx }, input }) => createBenchmarkReport({ ctx, input })),
  revoke: procedure
    .input(reportIdInput)
    .mutation(({ ctx: { ctx }, input }) => revokeBenchmarkReport({ ctx, input })),
  read: procedure
    .input(readReportInput)
    .mutation(({ ctx: { ctx }, input }) => readBenchmarkReport({ ctx, input })),
});

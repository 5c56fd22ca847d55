"use client";
import type { BenchmarkReportDocument } from "@stashlight/contracts";
import { useEffect, useState } from "react";
import { describeError } from "../../client/errors.ts";
import { createApiClient } from "../../client/trpc.tsx";

export type Report = BenchmarkReportDocument & { expiresAt: Date };

export type ReportState =
  | { state: "reading" }
  | { state: "gone"; message: string }
  | { state: "open"; report: Report };

/** The token is in the fragment of the address, which browsers do not send; it travels in a body instead. */
export function useReport(): ReportState {
  const [report, setReport] = useState<ReportState>({ state: "reading" });
  useEffect(() => {
    const token = location.hash.slice(1);
    if (token.length < 20) {
      setReport({
        state: "gone",
        message: "The link is incomplete; copy it whole, with everything after the # sign.",
      });
      return;
    }
    createApiClient()
      .benchmarkReport.read.mutate({ token })
      .then((read) => setReport({ state: "open", report: read }))
      .catch((error: unknown) => setReport({ state: "gone", message: describeError(error) }));
  }, []);
  return report;
}

"use client";
import type { BenchmarkReportDocument } from "@stashlight/contracts/benchmark/result";
import { createApiClient } from "../../client/trpc.tsx";
import { useShared } from "../../client/use-shared.ts";

export type Report = BenchmarkReportDocument & { expiresAt: Date };

const read = (token: string): Promise<Report> => createApiClient().benchmarkReport.read.mutate({ token });

export const useReport = () => useShared(read);

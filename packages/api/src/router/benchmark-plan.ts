import {
  benchmarkPlanIdInput,
  createBenchmarkPlanInput,
  deleteBenchmarkPlanInput,
  pauseBenchmarkPlanInput,
  previewBenchmarkPlanInput,
  updateBenchmarkPlanInput,
} from "@stashlight/contracts/benchmark";
import {
  createBenchmarkPlan,
  deleteBenchmarkPlan,
  getBenchmarkPlan,
  listBenchmarkMethods,
  listBenchmarkPlans,
  listVantages,
  pauseBenchmarkPlan,
  previewBenchmarkPlan,
  runBenchmarkPlanNow,
  updateBenchmarkPlan,
} from "@stashlight/services/benchmark";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const benchmarkPlanRouter = router({
  list: query(listBenchmarkPlans),
  get: queryWith(benchmarkPlanIdInput, getBenchmarkPlan),
  listMethods: query(listBenchmarkMethods),
  listVantages: query(listVantages),
  preview: queryWith(previewBenchmarkPlanInput, previewBenchmarkPlan),
  create: mutationWith(createBenchmarkPlanInput, createBenchmarkPlan),
  update: mutationWith(updateBenchmarkPlanInput, updateBenchmarkPlan),
  delete: mutationWith(deleteBenchmarkPlanInput, deleteBenchmarkPlan),
  pause: mutationWith(pauseBenchmarkPlanInput, pauseBenchmarkPlan),
  runNow: mutationWith(benchmarkPlanIdInput, runBenchmarkPlanNow),
});

import {
  benchmarkGroupInput,
  benchmarkRunIdInput,
  cancelBenchmarkSlotInput,
  listBenchmarkSlotsInput,
} from "@stashlight/contracts/benchmark/plan";
import {
  cancelBenchmarkSlot,
  getBenchmarkRun,
  getBenchmarkSamples,
  listBenchmarkSlots,
} from "@stashlight/services/benchmark";
import { mutationWith, queryWith, router } from "../trpc.ts";

export const benchmarkRunRouter = router({
  listSlots: queryWith(listBenchmarkSlotsInput, listBenchmarkSlots),
  get: queryWith(benchmarkRunIdInput, getBenchmarkRun),
  samples: queryWith(benchmarkGroupInput, getBenchmarkSamples),
  cancelSlot: mutationWith(cancelBenchmarkSlotInput, cancelBenchmarkSlot),
});

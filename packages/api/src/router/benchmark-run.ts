import {
  benchmarkGroupInput,
  benchmarkRunIdInput,
  cancelBenchmarkSlotInput,
  listBenchmarkMarksInput,
  listBenchmarkSlotsInput,
} from "@stashlight/contracts/benchmark";
import {
  cancelBenchmarkSlot,
  getBenchmarkRun,
  getBenchmarkSamples,
  listBenchmarkMarks,
  listBenchmarkSlots,
} from "@stashlight/services/benchmark";
import { mutationWith, queryWith, router } from "../trpc.ts";

export const benchmarkRunRouter = router({
  listMarks: queryWith(listBenchmarkMarksInput, listBenchmarkMarks),
  listSlots: queryWith(listBenchmarkSlotsInput, listBenchmarkSlots),
  get: queryWith(benchmarkRunIdInput, getBenchmarkRun),
  samples: queryWith(benchmarkGroupInput, getBenchmarkSamples),
  cancelSlot: mutationWith(cancelBenchmarkSlotInput, cancelBenchmarkSlot),
});

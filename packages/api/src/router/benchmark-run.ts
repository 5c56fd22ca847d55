import {
  benchmarkGroupInput,
  benchmarkRunIdInput,
  cancelBenchmarkSlotInput,
  listBenchmarkSlotsInput,
} from "@stashlight/contracts";
import {
  cancelBenchmarkSlot,
  getBenchmarkRun,
  getBenchmarkSamples,
  listBenchmarkSlots,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const benchmarkRunRouter = router({
  listSlots: procedure
    .input(listBenchmarkSlotsInput)
    .query(({ ctx: { ctx }, input }) => listBenchmarkSlots({ ctx, input })),
  get: procedure
    .input(benchmarkRunIdInput)
    .query(({ ctx: { ctx }, input }) => getBenchmarkRun({ ctx, input })),
  samples: procedure
    .input(benchmarkGroupInput)
    .query(({ ctx: { ctx }, input }) => getBenchmarkSamples({ ctx, input })),
  cancelSlot: procedure
    .input(cancelBenchmarkSlotInput)
    .mutation(({ ctx: { ctx }, input }) => cancelBenchmarkSlot({ ctx, input })),
});

-- A limit of what one slot of a plan may cost, beside its budget for a month. Earlier plans have none.
ALTER TABLE "benchmark_plan" ADD COLUMN "cost_per_slot_max" DOUBLE PRECISION;

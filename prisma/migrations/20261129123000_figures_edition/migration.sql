-- By which rules figures were computed from samples; all so far are of the first, and the worker computes them again.
ALTER TABLE "benchmark_group" ADD COLUMN "figures_edition" SMALLINT NOT NULL DEFAULT 1;
CREATE INDEX "benchmark_group_earlier_figures" ON "benchmark_group" ("slot_at") WHERE "figures_edition" < 2;

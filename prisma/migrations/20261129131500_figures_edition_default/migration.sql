-- New figures are of today's edition unless their writer names another.
ALTER TABLE "benchmark_group" ALTER COLUMN "figures_edition" SET DEFAULT 2;

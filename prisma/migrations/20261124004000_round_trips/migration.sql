-- Round trips that were measured beside a group's samples. Earlier groups have none.
ALTER TABLE "benchmark_group"
  ADD COLUMN "rtt_count" INTEGER,
  ADD COLUMN "rtt_missed_count" INTEGER,
  ADD COLUMN "rtt_median_ms" DOUBLE PRECISION,
  ADD COLUMN "rtt_p95_ms" DOUBLE PRECISION;

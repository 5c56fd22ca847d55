-- How operations of a group started: how late they were where a rate was asked for, or the pauses between them.
ALTER TABLE "benchmark_group" ADD COLUMN "starts" JSONB;
-- Where a rate was asked for, latency is from the moment an operation was due. The worker recomputes runs from before.
ALTER TABLE "benchmark_group_samples" RENAME COLUMN "wire_ms" TO "latency_ms";

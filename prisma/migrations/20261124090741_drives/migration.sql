-- Drives as targets of benchmark plans: an endpoint for each, the cells that a run measured, and a limit of what is written.
ALTER TABLE "endpoint"
  ADD COLUMN "probe_node_id" UUID,
  ADD COLUMN "drive_node" TEXT,
  ADD COLUMN "drive_device" TEXT,
  ADD COLUMN "drive" JSONB;
ALTER TABLE "endpoint" DROP CONSTRAINT "endpoint_kind_check";
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_kind_check"
  CHECK ("kind" IN ('b2', 's3', 's3-compatible', 'vault', 'r2', 'wasabi', 'gcs', 'azure-blob', 'drive'));
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_drive_check" CHECK (("kind" = 'drive') = ("drive" IS NOT NULL));
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_probe_node_id_fkey"
  FOREIGN KEY ("probe_node_id") REFERENCES "node"("id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE UNIQUE INDEX "endpoint_probe_node_id_drive_node_drive_device_key"
  ON "endpoint"("probe_node_id", "drive_node", "drive_device");

ALTER TABLE "probe_drive" ADD COLUMN "benchmark" JSONB;
ALTER TABLE "benchmark_plan" ADD COLUMN "written_bytes_per_month" DOUBLE PRECISION;
ALTER TABLE "benchmark_run" ADD COLUMN "written_bytes" DOUBLE PRECISION;

CREATE TABLE "benchmark_disk_cell" (
    "run_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "repetition" INTEGER NOT NULL,
    "access" TEXT NOT NULL,
    "read_share" DOUBLE PRECISION NOT NULL,
    "block_bytes" INTEGER NOT NULL,
    "queue_depth" INTEGER NOT NULL,
    "syncs_writes" BOOLEAN NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,
    "iops" DOUBLE PRECISION NOT NULL,
    "p50_us" DOUBLE PRECISION,
    "p99_us" DOUBLE PRECISION,
    "is_steady" BOOLEAN,
    "written_bytes" DOUBLE PRECISION NOT NULL,
    "result" JSONB NOT NULL,

    CONSTRAINT "benchmark_disk_cell_pkey" PRIMARY KEY ("run_id","place")
);
ALTER TABLE "benchmark_disk_cell" ADD CONSTRAINT "benchmark_disk_cell_run_id_fkey"
  FOREIGN KEY ("run_id") REFERENCES "benchmark_run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "benchmark_disk_cell" ADD CONSTRAINT "benchmark_disk_cell_access_check" CHECK ("access" IN ('sequential', 'random'));

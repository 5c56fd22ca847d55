-- AlterTable
ALTER TABLE "schedule" ADD COLUMN     "jitter_seconds" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "missed_policy" TEXT NOT NULL DEFAULT 'run-late';

-- AlterTable
ALTER TABLE "schedule_run" ADD COLUMN     "cancel_requested_at" TIMESTAMPTZ(3),
ADD COLUMN     "cancel_requested_by_name" TEXT,
ADD COLUMN     "claimed_by" TEXT,
ADD COLUMN     "lease_until" TIMESTAMPTZ(3),
ADD COLUMN     "start_after" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "endpoint" (
    "id" UUID NOT NULL,
    "built_in_key" TEXT,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "bucket" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "addressing" TEXT NOT NULL,
    "ca_pem" TEXT NOT NULL,
    "price_list" JSONB,
    "access_key_id" TEXT NOT NULL,
    "secret_access_key" TEXT NOT NULL,
    "secret_hint" TEXT,
    "label" TEXT NOT NULL DEFAULT 'measured',
    "last_check" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "benchmark_plan" (
    "id" UUID NOT NULL,
    "schedule_id" TEXT NOT NULL,
    "built_in_key" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "method" JSONB NOT NULL,
    "vantage_node_id" UUID,
    "budget_per_month" DOUBLE PRECISION,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "benchmark_plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "benchmark_plan_endpoint" (
    "plan_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "benchmark_plan_endpoint_pkey" PRIMARY KEY ("plan_id","endpoint_id")
);

-- CreateTable
CREATE TABLE "benchmark_run" (
    "id" UUID NOT NULL,
    "plan_id" UUID,
    "plan_name" TEXT,
    "endpoint_id" UUID,
    "endpoint_name" TEXT NOT NULL,
    "vantage_node_id" UUID,
    "vantage_name" TEXT NOT NULL,
    "method" JSONB NOT NULL,
    "slot_at" TIMESTAMPTZ(3) NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "progress_text" TEXT,
    "estimated_end_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "sample_count" INTEGER NOT NULL DEFAULT 0,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "tagged_share" DOUBLE PRECISION,
    "cost" DOUBLE PRECISION,
    "manifest" JSONB,
    "report" JSONB,
    "label" TEXT NOT NULL,
    "key_prefix" TEXT,
    "cleaned_at" TIMESTAMPTZ(3),
    "clean_after" TIMESTAMPTZ(3),
    "clean_error" TEXT,
    "clean_attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "benchmark_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "benchmark_group" (
    "run_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "connection_count" INTEGER NOT NULL,
    "plan_id" UUID,
    "endpoint_id" UUID,
    "slot_at" TIMESTAMPTZ(3) NOT NULL,
    "n" INTEGER NOT NULL,
    "failure_count" INTEGER NOT NULL,
    "tagged_count" INTEGER NOT NULL,
    "cold_count" INTEGER NOT NULL,
    "mean_ms" DOUBLE PRECISION,
    "sd_ms" DOUBLE PRECISION,
    "min_ms" DOUBLE PRECISION,
    "p5_ms" DOUBLE PRECISION,
    "p25_ms" DOUBLE PRECISION,
    "median_ms" DOUBLE PRECISION,
    "p75_ms" DOUBLE PRECISION,
    "p90_ms" DOUBLE PRECISION,
    "p95_ms" DOUBLE PRECISION,
    "max_ms" DOUBLE PRECISION,
    "median_low_ms" DOUBLE PRECISION,
    "median_high_ms" DOUBLE PRECISION,

    CONSTRAINT "benchmark_group_pkey" PRIMARY KEY ("run_id","operation","size_bytes","connection_count")
);

-- CreateTable
CREATE TABLE "benchmark_group_samples" (
    "run_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "connection_count" INTEGER NOT NULL,
    "wire_ms" DOUBLE PRECISION[],
    "failed_at" INTEGER[],
    "packed" BYTEA NOT NULL,

    CONSTRAINT "benchmark_group_samples_pkey" PRIMARY KEY ("run_id","operation","size_bytes","connection_count")
);

-- CreateTable
CREATE TABLE "benchmark_sample_part" (
    "run_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "sample_count" INTEGER NOT NULL,
    "packed" BYTEA NOT NULL,

    CONSTRAINT "benchmark_sample_part_pkey" PRIMARY KEY ("run_id","part")
);

-- CreateIndex
CREATE UNIQUE INDEX "endpoint_built_in_key_key" ON "endpoint"("built_in_key");

-- CreateIndex
CREATE UNIQUE INDEX "endpoint_name_key" ON "endpoint"("name");

-- CreateIndex
CREATE UNIQUE INDEX "benchmark_plan_schedule_id_key" ON "benchmark_plan"("schedule_id");

-- CreateIndex
CREATE UNIQUE INDEX "benchmark_plan_built_in_key_key" ON "benchmark_plan"("built_in_key");

-- CreateIndex
CREATE UNIQUE INDEX "benchmark_plan_name_key" ON "benchmark_plan"("name");

-- CreateIndex
CREATE INDEX "benchmark_plan_vantage_node_id_idx" ON "benchmark_plan"("vantage_node_id");

-- CreateIndex
CREATE INDEX "benchmark_plan_endpoint_endpoint_id_idx" ON "benchmark_plan_endpoint"("endpoint_id");

-- CreateIndex
CREATE INDEX "benchmark_run_slot_at_idx" ON "benchmark_run"("slot_at");

-- CreateIndex
CREATE INDEX "benchmark_run_endpoint_id_slot_at_idx" ON "benchmark_run"("endpoint_id", "slot_at");

-- CreateIndex
CREATE INDEX "benchmark_run_state_idx" ON "benchmark_run"("state");

-- CreateIndex
CREATE UNIQUE INDEX "benchmark_run_plan_id_slot_at_endpoint_id_attempt_key" ON "benchmark_run"("plan_id", "slot_at", "endpoint_id", "attempt");

-- CreateIndex
CREATE INDEX "benchmark_group_plan_id_operation_size_bytes_connection_cou_idx" ON "benchmark_group"("plan_id", "operation", "size_bytes", "connection_count", "slot_at");

-- CreateIndex
CREATE INDEX "benchmark_group_endpoint_id_operation_size_bytes_connection_idx" ON "benchmark_group"("endpoint_id", "operation", "size_bytes", "connection_count", "slot_at");

-- AddForeignKey
ALTER TABLE "benchmark_plan" ADD CONSTRAINT "benchmark_plan_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_plan" ADD CONSTRAINT "benchmark_plan_vantage_node_id_fkey" FOREIGN KEY ("vantage_node_id") REFERENCES "node"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_plan_endpoint" ADD CONSTRAINT "benchmark_plan_endpoint_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "benchmark_plan"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_plan_endpoint" ADD CONSTRAINT "benchmark_plan_endpoint_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_run" ADD CONSTRAINT "benchmark_run_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "benchmark_plan"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_run" ADD CONSTRAINT "benchmark_run_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_group" ADD CONSTRAINT "benchmark_group_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "benchmark_run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_group_samples" ADD CONSTRAINT "benchmark_group_samples_run_id_operation_size_bytes_connec_fkey" FOREIGN KEY ("run_id", "operation", "size_bytes", "connection_count") REFERENCES "benchmark_group"("run_id", "operation", "size_bytes", "connection_count") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "benchmark_sample_part" ADD CONSTRAINT "benchmark_sample_part_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "benchmark_run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Closed lists, which the schema's text columns cannot say.
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_missed_policy_check" CHECK ("missed_policy" IN ('run-late', 'skip'));
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_kind_check" CHECK ("kind" IN ('b2', 's3', 's3-compatible', 'vault'));
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_addressing_check" CHECK ("addressing" IN ('path', 'host'));
ALTER TABLE "endpoint" ADD CONSTRAINT "endpoint_label_check" CHECK ("label" IN ('measured', 'modelled'));
ALTER TABLE "benchmark_run" ADD CONSTRAINT "benchmark_run_state_check" CHECK ("state" IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted', 'skipped', 'imported'));
ALTER TABLE "benchmark_run" ADD CONSTRAINT "benchmark_run_label_check" CHECK ("label" IN ('measured', 'modelled', 'simulated', 'reference'));

-- Runs whose objects are still to be deleted are few; everything that looks for them is asked often.
CREATE INDEX "benchmark_run_to_clean_idx" ON "benchmark_run" ("clean_after") WHERE "key_prefix" IS NOT NULL AND "cleaned_at" IS NULL;

-- A run that is claimed is looked for again and again, among years of finished ones.
CREATE INDEX "schedule_run_lease_until_idx" ON "schedule_run" ("lease_until") WHERE "lease_until" IS NOT NULL;

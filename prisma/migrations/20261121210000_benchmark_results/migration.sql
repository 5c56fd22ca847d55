-- CreateTable
CREATE TABLE "benchmark_comparison" (
    "key" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "computed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "benchmark_comparison_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "benchmark_report_link" (
    "id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "plan_name" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by_name" TEXT,

    CONSTRAINT "benchmark_report_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "benchmark_watch" (
    "id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "connection_count" INTEGER NOT NULL,
    "regression" JSONB NOT NULL,
    "severity" TEXT NOT NULL,
    "judged_slot_at" TIMESTAMPTZ(3),
    "firing" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "benchmark_watch_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "benchmark_comparison_computed_at_idx" ON "benchmark_comparison"("computed_at");

-- CreateIndex
CREATE UNIQUE INDEX "benchmark_report_link_token_hash_key" ON "benchmark_report_link"("token_hash");

-- CreateIndex
CREATE INDEX "benchmark_report_link_created_at_idx" ON "benchmark_report_link"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "benchmark_watch_plan_id_operation_size_bytes_connection_cou_key" ON "benchmark_watch"("plan_id", "operation", "size_bytes", "connection_count");

-- AddForeignKey
ALTER TABLE "benchmark_watch" ADD CONSTRAINT "benchmark_watch_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "benchmark_plan"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Closed list, which the schema's text column cannot say.
ALTER TABLE "benchmark_watch" ADD CONSTRAINT "benchmark_watch_severity_check" CHECK ("severity" IN ('info', 'warning', 'critical'));

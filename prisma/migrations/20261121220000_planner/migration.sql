-- A link to a report is the same thing whatever the report is about.
ALTER TABLE "benchmark_report_link" RENAME TO "report_link";
ALTER TABLE "report_link" RENAME CONSTRAINT "benchmark_report_link_pkey" TO "report_link_pkey";
ALTER INDEX "benchmark_report_link_token_hash_key" RENAME TO "report_link_token_hash_key";
ALTER INDEX "benchmark_report_link_created_at_idx" RENAME TO "report_link_created_at_idx";
ALTER TABLE "report_link" RENAME COLUMN "plan_name" TO "subject_name";
ALTER TABLE "report_link" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'benchmark';
ALTER TABLE "report_link" ALTER COLUMN "kind" DROP DEFAULT;

-- Closed list, which the schema's text column cannot say.
ALTER TABLE "report_link" ADD CONSTRAINT "report_link_kind_check" CHECK ("kind" IN ('benchmark', 'plan'));

-- CreateTable
CREATE TABLE "plan_scenario" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "note" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "updated_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "plan_scenario_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "plan_scenario_name_key" ON "plan_scenario"("name");

-- At most one, which the schema cannot say.
CREATE UNIQUE INDEX "plan_scenario_one_default" ON "plan_scenario"("is_default") WHERE "is_default";

-- CreateTable
CREATE TABLE "simulation_run" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "scenario" JSONB NOT NULL,
    "measured" JSONB,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "progress" JSONB,
    "result" JSONB,
    "processor_seconds" DOUBLE PRECISION,
    "version" TEXT,
    "outcome" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claimed_by" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "requested_by_id" TEXT NOT NULL,
    "requested_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "cancel_requested_by_name" TEXT,

    CONSTRAINT "simulation_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "simulation_run_created_at_idx" ON "simulation_run"("created_at");

-- Closed list, which the schema's text column cannot say.
ALTER TABLE "simulation_run" ADD CONSTRAINT "simulation_run_state_check" CHECK ("state" IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'));

-- CreateTable
CREATE TABLE "alert_rule" (
    "id" UUID NOT NULL,
    "built_in_key" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "query" JSONB NOT NULL,
    "condition" JSONB NOT NULL,
    "for_seconds" INTEGER NOT NULL,
    "keep_firing_seconds" INTEGER NOT NULL,
    "no_data" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL,
    "channel_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "evaluated_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "alert_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_state" (
    "rule_id" UUID NOT NULL,
    "group" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "evaluated_at" TIMESTAMPTZ(3) NOT NULL,
    "value" DOUBLE PRECISION,
    "sample_at" TIMESTAMPTZ(3),
    "clear_since" TIMESTAMPTZ(3),
    "firing_event_id" UUID,
    "is_notified" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "alert_state_pkey" PRIMARY KEY ("rule_id","group")
);

-- CreateTable
CREATE TABLE "alert_event" (
    "id" UUID NOT NULL,
    "firing_event_id" UUID NOT NULL,
    "rule_id" UUID,
    "rule_name" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "group" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "value" DOUBLE PRECISION,
    "summary" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_silence" (
    "id" UUID NOT NULL,
    "rule_id" UUID,
    "labels" JSONB NOT NULL,
    "reason" TEXT NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_silence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_channel" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "secret" TEXT,
    "secret_hint" TEXT,
    "is_default" BOOLEAN NOT NULL,
    "is_enabled" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_delivered_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "alert_channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_delivery" (
    "event_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "alert_delivery_pkey" PRIMARY KEY ("event_id","channel_id")
);

-- CreateTable
CREATE TABLE "outbound_network" (
    "cidr" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbound_network_pkey" PRIMARY KEY ("cidr")
);

-- CreateIndex
CREATE UNIQUE INDEX "alert_rule_built_in_key_key" ON "alert_rule"("built_in_key");

-- CreateIndex
CREATE UNIQUE INDEX "alert_rule_name_key" ON "alert_rule"("name");

-- CreateIndex
CREATE INDEX "alert_rule_is_enabled_evaluated_at_idx" ON "alert_rule"("is_enabled", "evaluated_at");

-- CreateIndex
CREATE INDEX "alert_state_status_idx" ON "alert_state"("status");

-- CreateIndex
CREATE INDEX "alert_event_occurred_at_idx" ON "alert_event"("occurred_at");

-- CreateIndex
CREATE INDEX "alert_event_rule_id_occurred_at_idx" ON "alert_event"("rule_id", "occurred_at");

-- CreateIndex
CREATE INDEX "alert_silence_ends_at_idx" ON "alert_silence"("ends_at");

-- CreateIndex
CREATE UNIQUE INDEX "alert_channel_name_key" ON "alert_channel"("name");

-- CreateIndex
CREATE INDEX "alert_delivery_state_next_attempt_at_idx" ON "alert_delivery"("state", "next_attempt_at");

-- AddForeignKey
ALTER TABLE "alert_state" ADD CONSTRAINT "alert_state_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_event" ADD CONSTRAINT "alert_event_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_silence" ADD CONSTRAINT "alert_silence_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "alert_event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "alert_channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Closed lists, which the schema's text columns cannot say.
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_no_data_check" CHECK ("no_data" IN ('keep', 'ok', 'alert'));
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_severity_check" CHECK ("severity" IN ('info', 'warning', 'critical'));
ALTER TABLE "alert_state" ADD CONSTRAINT "alert_state_status_check" CHECK ("status" IN ('ok', 'pending', 'firing'));
ALTER TABLE "alert_event" ADD CONSTRAINT "alert_event_kind_check" CHECK ("kind" IN ('firing', 'resolved'));
ALTER TABLE "alert_channel" ADD CONSTRAINT "alert_channel_kind_check" CHECK ("kind" IN ('webhook', 'slack', 'email'));
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_state_check" CHECK ("state" IN ('waiting', 'delivered', 'failed'));

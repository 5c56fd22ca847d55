-- AlterTable
ALTER TABLE "alert_rule" ADD COLUMN "remind_seconds" INTEGER NOT NULL DEFAULT 14400;

-- AlterTable
ALTER TABLE "alert_state" ADD COLUMN "told_at" TIMESTAMPTZ(3);

-- A closed list, which the schema's text column cannot say.
ALTER TABLE "alert_event" DROP CONSTRAINT "alert_event_kind_check";
ALTER TABLE "alert_event" ADD CONSTRAINT "alert_event_kind_check" CHECK ("kind" IN ('firing', 'reminder', 'resolved'));

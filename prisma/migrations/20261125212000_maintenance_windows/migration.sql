-- A silence can begin later and come again each week: a maintenance window. Without a start it began when it was made.
ALTER TABLE "alert_silence" ADD COLUMN "starts_at" TIMESTAMPTZ(3),
ADD COLUMN "is_maintenance" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "is_weekly" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "ended_at" TIMESTAMPTZ(3);

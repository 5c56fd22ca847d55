-- Why no channel was told of an alert as it began: a silence, or another alert that it follows from.
ALTER TABLE "alert_event" ADD COLUMN "muted_by" TEXT;

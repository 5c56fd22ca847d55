-- The rule whose stall an alert follows from, so that it stays inhibited while the stall ends drive by drive.
ALTER TABLE "alert_state" ADD COLUMN "inhibited_by" UUID;

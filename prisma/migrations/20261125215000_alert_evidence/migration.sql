-- The statistic that a group's value is, and of how many samples, so that messages can say it.
ALTER TABLE "alert_state" ADD COLUMN "evidence" JSONB;

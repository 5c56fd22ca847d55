-- Groups of a rule that fire together are told in one message, which names more than the group of its event.
ALTER TABLE "alert_event" ADD COLUMN "message" JSONB;

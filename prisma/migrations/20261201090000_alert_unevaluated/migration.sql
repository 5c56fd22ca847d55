-- Time since an alert fires, and since an incident was opened, in which nothing evaluated the rule.
ALTER TABLE "alert_state" ADD COLUMN "unevaluated_seconds" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "alert_incident" ADD COLUMN "unevaluated_seconds" INTEGER NOT NULL DEFAULT 0;

-- Services that take alerts by formats of their own.
ALTER TABLE "alert_channel" DROP CONSTRAINT "alert_channel_kind_check";
ALTER TABLE "alert_channel" ADD CONSTRAINT "alert_channel_kind_check" CHECK ("kind" IN ('webhook', 'slack', 'email', 'pagerduty', 'opsgenie', 'teams', 'ntfy'));

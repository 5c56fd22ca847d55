-- Somebody looks after what fires of a rule in a vault. The row goes once nothing of it fires any more; its event stays.
CREATE TABLE "alert_acknowledgement" (
    "rule_id" UUID NOT NULL,
    "vault" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_acknowledgement_pkey" PRIMARY KEY ("rule_id", "vault"),
    CONSTRAINT "alert_acknowledgement_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

ALTER TABLE "alert_event" DROP CONSTRAINT "alert_event_kind_check";
ALTER TABLE "alert_event" ADD CONSTRAINT "alert_event_kind_check" CHECK ("kind" IN ('firing', 'acknowledged', 'reminder', 'resolved'));

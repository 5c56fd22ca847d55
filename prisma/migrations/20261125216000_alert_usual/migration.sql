-- What is usual for a group of a rule that compares with it, and when that was computed last.
CREATE TABLE "alert_usual" (
    "rule_id" UUID NOT NULL,
    "group" TEXT NOT NULL,
    "usuals" JSONB NOT NULL,

    CONSTRAINT "alert_usual_pkey" PRIMARY KEY ("rule_id", "group"),
    CONSTRAINT "alert_usual_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "alert_rule" ADD COLUMN "usual_at" TIMESTAMPTZ(3);

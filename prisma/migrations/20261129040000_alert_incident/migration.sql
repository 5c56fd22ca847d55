-- Whether the latest evaluation had a value, and when a firing group resolves if nothing changes.
ALTER TABLE "alert_state" ADD COLUMN "has_value" BOOLEAN NOT NULL DEFAULT true, ADD COLUMN "ends_at" TIMESTAMPTZ(3);

-- One row from the first group of a rule that fires in a vault until none does.
CREATE TABLE "alert_incident" (
    "id" UUID NOT NULL,
    "rule_id" UUID,
    "rule_name" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "vault" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "groups" TEXT[],
    "worst_group" TEXT NOT NULL,
    "worst" TEXT NOT NULL,
    "worst_value" DOUBLE PRECISION,
    "summary" TEXT NOT NULL,
    "muted_by" TEXT,
    "acknowledgement" TEXT,

    CONSTRAINT "alert_incident_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alert_incident_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "alert_incident_opened_at_idx" ON "alert_incident"("opened_at");
CREATE INDEX "alert_incident_rule_id_ended_at_idx" ON "alert_incident"("rule_id", "ended_at");

ALTER TABLE "alert_event" ADD COLUMN "incident_id" UUID;
CREATE INDEX "alert_event_incident_id_idx" ON "alert_event"("incident_id");
ALTER TABLE "alert_event" ADD CONSTRAINT "alert_event_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "alert_incident"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "alert_event" DROP CONSTRAINT "alert_event_kind_check";
ALTER TABLE "alert_event" ADD CONSTRAINT "alert_event_kind_check" CHECK ("kind" IN ('firing', 'joined', 'acknowledged', 'reminder', 'resolved'));

-- Incidents of earlier events: each begins where nothing of its rule fired in its vault before. Each gets the id of the
-- event with which it began, and its events follow it.
WITH "placed" AS (
    SELECT e."id", e."rule_id", e."rule_name", e."group", e."occurred_at", e."kind",
           coalesce(e."labels"->>'vault', n."vault", '') AS "vault"
      FROM "alert_event" AS e LEFT JOIN "node" AS n ON n."name" = e."labels"->>'node'
), "counted" AS (
    SELECT "placed".*,
           sum(CASE "kind" WHEN 'firing' THEN 1 WHEN 'resolved' THEN -1 ELSE 0 END) OVER "until_then" AS "firing_count"
      FROM "placed"
    WINDOW "until_then" AS (PARTITION BY "rule_id", "rule_name", "vault" ORDER BY "occurred_at", "kind", "id")
), "spanned" AS (
    SELECT "counted".*,
           max(CASE WHEN "kind" = 'firing' AND "firing_count" <= 1 THEN "occurred_at" END) OVER "until_then" AS "opened_at"
      FROM "counted"
    WINDOW "until_then" AS (PARTITION BY "rule_id", "rule_name", "vault" ORDER BY "occurred_at", "kind", "id")
), "spans" AS (
    SELECT "vault", "opened_at", array_agg("id") AS "event_ids",
           (array_agg("id" ORDER BY "occurred_at", "id") FILTER (WHERE "kind" = 'firing'))[1] AS "begun_id",
           max("occurred_at") FILTER (WHERE "kind" = 'resolved' AND "firing_count" <= 0) AS "ended_at",
           array_agg(DISTINCT "group") FILTER (WHERE "kind" = 'firing') AS "groups"
      FROM "spanned" WHERE "opened_at" IS NOT NULL
     GROUP BY "rule_id", "rule_name", "vault", "opened_at"
), "opened" AS (
    INSERT INTO "alert_incident" ("id", "rule_id", "rule_name", "severity", "vault", "opened_at", "ended_at", "groups",
                                  "worst_group", "worst", "worst_value", "summary", "muted_by")
    SELECT e."id", e."rule_id", e."rule_name", e."severity", s."vault", s."opened_at", s."ended_at", s."groups",
           e."group", '', e."value", e."summary", e."muted_by"
      FROM "spans" AS s JOIN "alert_event" AS e ON e."id" = s."begun_id"
)
UPDATE "alert_event" AS e SET "incident_id" = s."begun_id" FROM "spans" AS s WHERE e."id" = ANY(s."event_ids");

-- What fired before this migration and fires no more without an event of its end is over.
UPDATE "alert_incident" AS i SET "ended_at" = i."opened_at"
 WHERE i."ended_at" IS NULL AND i."rule_id" IS NOT NULL AND NOT EXISTS (
    SELECT FROM "alert_state" AS s LEFT JOIN "node" AS n ON n."name" = s."labels"->>'node'
     WHERE s."rule_id" = i."rule_id" AND s."status" = 'firing' AND coalesce(s."labels"->>'vault', n."vault", '') = i."vault");

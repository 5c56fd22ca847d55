-- The head of the audit log, kept apart from the log: its last event and its last seal, moved on by triggers. The
-- runtime role may read it and nothing else, and after migrations the schema is given to the role stashlight_auditor
-- (packages/db/src/migrate/audit-guard.ts). Whoever cuts off or rolls back the log leaves a head that names more.
CREATE SCHEMA audit_guard;

CREATE TABLE audit_guard.head (
    id smallint PRIMARY KEY CHECK (id = 1),
    -- Tells this log from one of another database, in the seal files that name both.
    log_id uuid NOT NULL,
    sequence bigint NOT NULL,
    event_hash char(64) NOT NULL,
    seal_count integer NOT NULL,
    seal_hash char(64) NOT NULL,
    moved_at timestamptz(3) NOT NULL
);

INSERT INTO audit_guard.head (id, log_id, sequence, event_hash, seal_count, seal_hash, moved_at)
SELECT 1,
       gen_random_uuid(),
       coalesce((SELECT max(sequence) FROM audit_event), 0),
       coalesce((SELECT hash FROM audit_event ORDER BY sequence DESC LIMIT 1), repeat('0', 64)),
       (SELECT count(*) FROM audit_seal),
       coalesce((SELECT hash FROM audit_seal ORDER BY first_sequence DESC LIMIT 1), repeat('0', 64)),
       now();

-- An event that does not follow from the head leaves it where it is. Refusing the event would stop the product after
-- somebody has tampered with the log; a head that stays behind is found by every verification from then on.
CREATE FUNCTION audit_guard.follow_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE audit_guard.head SET sequence = NEW.sequence, event_hash = NEW.hash, moved_at = clock_timestamp()
     WHERE sequence = NEW.sequence - 1 AND event_hash = NEW.previous_hash;
    RETURN NULL;
END $$;

CREATE FUNCTION audit_guard.follow_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE audit_guard.head SET seal_count = seal_count + 1, seal_hash = NEW.hash, moved_at = clock_timestamp()
     WHERE seal_hash = NEW.previous_hash;
    RETURN NULL;
END $$;

CREATE TRIGGER follow_event AFTER INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_guard.follow_event();
CREATE TRIGGER follow_seal AFTER INSERT ON audit_seal FOR EACH ROW EXECUTE FUNCTION audit_guard.follow_seal();

GRANT USAGE ON SCHEMA audit_guard TO stashlight_app;
GRANT SELECT ON audit_guard.head TO stashlight_app;

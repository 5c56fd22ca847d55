-- Policies drop windows that are not rolled up yet. Earlier versions made them where the extension's edition had them;
-- the keeper drops chunks in their place.
SET LOCAL ROLE stashlight_app;

DO $body$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT format('%I.%I', hypertable_schema, hypertable_name) AS name FROM timescaledb_information.jobs
     WHERE proc_name = 'policy_retention' AND hypertable_schema = 'metric'
  LOOP
    PERFORM public.remove_retention_policy(kept.name::regclass);
  END LOOP;
END;
$body$;

RESET ROLE;

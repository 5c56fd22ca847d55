-- The stalls of a month are chosen by the slowest sync of each hour of each drive, as its slowest drives are by their
-- p99: both values lie in one index, so that no page of the table is read for what is not shown.
SET LOCAL ROLE stashlight_app;

DROP INDEX metric.hist_1h_p99_idx;
CREATE INDEX hist_1h_tails_idx ON metric.hist_1h (node_id, series_id, ts) INCLUDE (p99, max);

RESET ROLE;

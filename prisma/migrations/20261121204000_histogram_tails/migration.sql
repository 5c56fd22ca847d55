-- Which drives are the slowest of a month is asked of all hours of all drives: by this index a page holds two hundred of
-- them, and not one as the table's own, where the rows of an hour lie together.
SET LOCAL ROLE stashlight_app;

CREATE INDEX hist_1h_p99_idx ON metric.hist_1h (node_id, series_id, ts) INCLUDE (p99);

RESET ROLE;

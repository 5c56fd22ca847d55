-- Fleets that were made before have no gauges and counters: all of their buckets are made anew.
SET LOCAL ROLE stashlight_app;

INSERT INTO metric.rollup_due (node_id, level, ts)
SELECT m.fleet_id, 11, r.ts FROM metric.gauge_1m AS r JOIN metric.fleet_member AS m ON m.node_id = r.node_id
 GROUP BY 1, 3
ON CONFLICT (node_id, level, ts) DO NOTHING;

INSERT INTO metric.rollup_due (node_id, level, ts)
SELECT m.fleet_id, 12, r.ts FROM metric.gauge_10m AS r JOIN metric.fleet_member AS m ON m.node_id = r.node_id
 GROUP BY 1, 3
ON CONFLICT (node_id, level, ts) DO NOTHING;

INSERT INTO metric.rollup_due (node_id, level, ts)
SELECT m.fleet_id, 13, r.ts FROM metric.gauge_1h AS r JOIN metric.fleet_member AS m ON m.node_id = r.node_id
 GROUP BY 1, 3
ON CONFLICT (node_id, level, ts) DO NOTHING;

RESET ROLE;

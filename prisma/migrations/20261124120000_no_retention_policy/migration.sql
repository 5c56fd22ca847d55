-- Only TimescaleDB has policies; its script lies beside this one.
SELECT 1;

"""Tables through DuckDB's httpfs: python duckdb_job.py BUCKET FILES SCRATCH."""

import os
import sys
from pathlib import Path

import duckdb
import duckdb_ext

bucket, _, scratch = sys.argv[1:4]
scheme, address = os.environ["AWS_ENDPOINT_URL"].split("://")
[extension] = [path for folder in duckdb_ext.__path__ for path in Path(folder).rglob("httpfs.duckdb_extension")]
database = duckdb.connect(os.path.join(scratch, "job.duckdb"))
database.execute(f"LOAD '{extension}'")
database.execute(
    f"""CREATE SECRET (TYPE s3, KEY_ID '{os.environ["AWS_ACCESS_KEY_ID"]}',
    SECRET '{os.environ["AWS_SECRET_ACCESS_KEY"]}', REGION '{os.environ["AWS_REGION"]}', ENDPOINT '{address}',
    URL_STYLE 'path', USE_SSL {"true" if scheme == "https" else "false"})"""
)
url = f"s3://{bucket}/tables"
database.execute(
    "CREATE TABLE event AS SELECT i AS id, i % 4 AS part, md5(i::VARCHAR) AS body FROM range(400000) rows(i)"
)
database.execute(f"COPY event TO '{url}/event.parquet' (FORMAT parquet)")
database.execute(f"COPY event TO '{url}/parts' (FORMAT parquet, PARTITION_BY (part))")
database.execute(f"COPY (FROM event LIMIT 50000) TO '{url}/event + ü.csv' (HEADER)")
for source in (f"'{url}/event.parquet'", f"read_parquet('{url}/parts/*/*.parquet', hive_partitioning = true)"):
    [(missing,)] = database.execute(
        f"SELECT count(*) FROM (FROM event EXCEPT SELECT id, part, body FROM {source})"
    ).fetchall()
    [(count,)] = database.execute(f"SELECT count(*) FROM {source}").fetchall()
    assert (missing, count) == (0, 400000), (source, missing, count)
[(count,)] = database.execute(f"SELECT count(*) FROM read_csv('{url}/event + ü.csv')").fetchall()
assert count == 50000, count
[(low,)] = database.execute(f"SELECT min(id) FROM '{url}/event.parquet' WHERE id > 399990").fetchall()
assert low == 399991, low

"""Objects through obstore: python obstore_job.py BUCKET FILES SCRATCH."""

import os
import sys
from pathlib import Path

import obstore
from obstore.exceptions import AlreadyExistsError, PreconditionError
from obstore.store import S3Store

bucket, files, _ = sys.argv[1:4]
endpoint = os.environ["AWS_ENDPOINT_URL"]
store = S3Store(
    bucket, endpoint=endpoint, region=os.environ["AWS_REGION"], client_options={"allow_http": True}
)
# Without the difficult names, which only backup tools must keep: object_store changes some characters of paths.
local = [path for path in Path(files).rglob("*") if path.is_file() and "names" not in path.parts]
wanted = {f"files/{path.relative_to(files)}": path for path in local}
for key, path in wanted.items():
    obstore.put(store, key, path, chunk_size=5 * 1024 * 1024)
listed = {each["path"]: each["size"] for page in obstore.list(store, "files") for each in page}
assert listed == {key: path.stat().st_size for key, path in wanted.items()}
for key, path in wanted.items():
    assert bytes(obstore.get(store, key).bytes()) == path.read_bytes(), key
large = wanted["files/large"].read_bytes()
assert bytes(obstore.get_range(store, "files/large", start=6_000_000, end=6_000_100)) == large[6_000_000:6_000_100]

try:
    obstore.put(store, "files/empty", b"x", mode="create")
except AlreadyExistsError:
    pass
else:
    raise AssertionError("A conditional put replaced an object.")
etag = obstore.head(store, "files/empty")["e_tag"]
obstore.put(store, "files/empty", b"new", mode={"e_tag": etag})
try:
    obstore.put(store, "files/empty", b"newer", mode={"e_tag": etag})
except PreconditionError:
    pass
else:
    raise AssertionError("A put replaced another version than it named.")
obstore.copy(store, "files/large", "copy")
obstore.rename(store, "copy", "renamed ü + %")
assert bytes(obstore.get(store, "renamed ü + %").bytes()) == large
obstore.delete(store, [*wanted, "renamed ü + %"])
assert [each for page in obstore.list(store) for each in page] == []

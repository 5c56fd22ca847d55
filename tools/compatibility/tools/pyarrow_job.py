"""Files and a dataset through pyarrow: python pyarrow_job.py BUCKET FILES SCRATCH."""

import os
import sys

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs as fs

bucket, files, scratch = sys.argv[1:4]
endpoint = os.environ["AWS_ENDPOINT_URL"]
scheme, address = endpoint.split("://")
s3 = fs.S3FileSystem(endpoint_override=address, scheme=scheme, region=os.environ["AWS_REGION"])
local = fs.LocalFileSystem()


def stored(folder):
    found = s3.get_file_info(fs.FileSelector(folder, recursive=True))
    return {each.path[len(folder) + 1 :]: each.size for each in found if each.type == fs.FileType.File}


def local_files():
    for parent, _, names in os.walk(files):
        for name in names:
            path = os.path.join(parent, name)
            yield os.path.relpath(path, files), path


assert s3.get_file_info(bucket).type == fs.FileType.Directory
wanted = dict(local_files())
for key, path in wanted.items():
    with open(path, "rb") as file, s3.open_output_stream(f"{bucket}/files/{key}") as stream:
        while chunk := file.read(1 << 20):
            stream.write(chunk)
assert stored(f"{bucket}/files") == {key: os.path.getsize(path) for key, path in wanted.items()}
for key, path in wanted.items():
    with open(path, "rb") as file, s3.open_input_stream(f"{bucket}/files/{key}") as stream:
        assert stream.read() == file.read(), key

table = pa.table({"day": [i % 5 for i in range(100000)], "value": list(range(100000))})
folder = f"{bucket}/dataset"
ds.write_dataset(table, folder, filesystem=s3, format="parquet", partitioning=["day"], partitioning_flavor="hive")
dataset = ds.dataset(folder, filesystem=s3, format="parquet", partitioning="hive")
assert dataset.count_rows() == 100000
day = dataset.to_table(filter=ds.field("day") == 3)["value"].to_pylist()
assert sorted(day) == [i for i in range(100000) if i % 5 == 3]
with s3.open_input_file(f"{bucket}/files/large") as file, open(wanted["large"], "rb") as expected:
    file.seek(7_000_001)
    expected.seek(7_000_001)
    assert file.read(1000) == expected.read(1000)

s3.move(f"{bucket}/files/empty", f"{bucket}/moved")
assert s3.get_file_info(f"{bucket}/files/empty").type == fs.FileType.NotFound
s3.delete_dir(folder)
assert s3.get_file_info(folder).type == fs.FileType.NotFound

"""A small backup with boto3: python boto3_job.py backup|restore|remove BUCKET FOLDER."""

import hashlib
import os
import sys

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.exceptions import ClientError

MIB = 1048576
step, bucket, folder = sys.argv[1:4]
s3 = boto3.client("s3")
transfer = TransferConfig(multipart_threshold=8 * MIB, multipart_chunksize=5 * MIB)


def local_files():
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            yield os.path.relpath(path, folder), path


def stored_keys():
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, PaginationConfig={"PageSize": 50})
    return [each["Key"] for page in pages for each in page.get("Contents", [])]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stored_digest(key):
    try:
        return s3.head_object(Bucket=bucket, Key=key)["Metadata"].get("sha256")
    except ClientError as error:
        assert error.response["Error"]["Code"] == "404", error
        return None


def backup():
    s3.create_bucket(Bucket=bucket)
    uploaded = 0
    wanted = dict(local_files())
    for key, path in wanted.items():
        if stored_digest(key) != digest(path):
            extra = {"Metadata": {"sha256": digest(path)}, "ChecksumAlgorithm": "SHA256"}
            s3.upload_file(path, bucket, key, ExtraArgs=extra, Config=transfer)
            uploaded += 1
    gone = [{"Key": key} for key in stored_keys() if key not in wanted]
    if gone:
        result = s3.delete_objects(Bucket=bucket, Delete={"Objects": gone})
        assert "Errors" not in result, result
    assert sorted(stored_keys()) == sorted(wanted)
    print(uploaded)


def restore():
    for key in stored_keys():
        path = os.path.join(folder, key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        s3.download_file(bucket, key, path, Config=transfer)
    try:
        s3.put_object(Bucket=bucket, Key="large", Body=b"", IfNoneMatch="*")
    except ClientError as error:
        assert error.response["Error"]["Code"] == "PreconditionFailed", error
    else:
        raise AssertionError("A conditional write replaced an object.")


def remove():
    keys = stored_keys()
    for at in range(0, len(keys), 1000):
        s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": key} for key in keys[at : at + 1000]]})
    s3.delete_bucket(Bucket=bucket)


{"backup": backup, "restore": restore, "remove": remove}[step]()

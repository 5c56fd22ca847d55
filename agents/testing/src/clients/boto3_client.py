"""Uses boto3 as users do; exits with a code other than 0 if any result is wrong."""

import io
import os
import sys
import urllib.request

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.client import Config
from botocore.exceptions import ClientError

MIB = 1048576
endpoint, key_id, secret = sys.argv[1:4]
bucket = "boto3"

s3 = boto3.client(
    "s3",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id=key_id,
    aws_secret_access_key=secret,
    config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
)


def read(key, **options):
    return s3.get_object(Bucket=bucket, Key=key, **options)["Body"].read()


def code_of(call, **options):
    try:
        call(**options)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return None


s3.create_bucket(Bucket=bucket)
assert bucket in [each["Name"] for each in s3.list_buckets()["Buckets"]]

bodies = {f"sizes/{size}": os.urandom(size) for size in (0, 1, 65536, MIB, MIB + 1, 3 * MIB)}
for key, body in bodies.items():
    s3.put_object(Bucket=bucket, Key=key, Body=body, Metadata={"made-by": "boto3"}, ContentType="text/x-test")
for key, body in bodies.items():
    assert read(key) == body, key
    head = s3.head_object(Bucket=bucket, Key=key)
    assert head["Metadata"] == {"made-by": "boto3"} and head["ContentType"] == "text/x-test", head
assert read("sizes/3145728", Range="bytes=2097150-2097160") == bodies["sizes/3145728"][2097150:2097161]

large = os.urandom(11 * MIB + 7)
transfer = TransferConfig(multipart_threshold=5 * MIB, multipart_chunksize=5 * MIB)
s3.upload_fileobj(io.BytesIO(large), bucket, "large", Config=transfer)
copied = io.BytesIO()
s3.download_fileobj(bucket, "large", copied, Config=transfer)
assert copied.getvalue() == large

pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, PaginationConfig={"PageSize": 3})
listed = [each["Key"] for page in pages for each in page.get("Contents", [])]
assert listed == sorted([*bodies, "large"]), listed
pages = s3.get_paginator("list_objects").paginate(Bucket=bucket, Delimiter="/", PaginationConfig={"PageSize": 1})
prefixes = [each["Prefix"] for page in pages for each in page.get("CommonPrefixes", [])]
assert prefixes == ["sizes/"], prefixes

s3.copy_object(Bucket=bucket, Key="copy ü", CopySource={"Bucket": bucket, "Key": "sizes/65536"})
assert read("copy ü") == bodies["sizes/65536"]

s3.put_object(Bucket=bucket, Key="tagged", Body=b"tagged", Tagging="team=a%20b&stage=")
tags = lambda key: s3.get_object_tagging(Bucket=bucket, Key=key)["TagSet"]
assert tags("tagged") == [{"Key": "team", "Value": "a b"}, {"Key": "stage", "Value": ""}], tags("tagged")
before = s3.head_object(Bucket=bucket, Key="tagged")
new = [{"Key": "ü", "Value": "=/"}]
s3.put_object_tagging(Bucket=bucket, Key="tagged", Tagging={"TagSet": new})
after = s3.get_object(Bucket=bucket, Key="tagged")
assert after["TagCount"] == 1 and after["Body"].read() == b"tagged"
assert all(before[name] == after[name] for name in ("ETag", "LastModified", "Metadata"))
s3.copy_object(Bucket=bucket, Key="tagged copy", CopySource={"Bucket": bucket, "Key": "tagged"})
assert tags("tagged copy") == new
eleven = [{"Key": str(number), "Value": ""} for number in range(11)]
assert code_of(s3.put_object_tagging, Bucket=bucket, Key="tagged", Tagging={"TagSet": eleven}) == "BadRequest"
s3.delete_object_tagging(Bucket=bucket, Key="tagged")
assert tags("tagged") == []
s3.put_bucket_tagging(Bucket=bucket, Tagging={"TagSet": new})
assert s3.get_bucket_tagging(Bucket=bucket)["TagSet"] == new
s3.delete_bucket_tagging(Bucket=bucket)
assert code_of(s3.get_bucket_tagging, Bucket=bucket) == "NoSuchTagSet"
s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": key} for key in ("tagged", "tagged copy")]})

url = s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "copy ü"}, ExpiresIn=60)
with urllib.request.urlopen(url) as answer:
    assert answer.read() == bodies["sizes/65536"]

assert code_of(s3.get_object, Bucket=bucket, Key="none") == "NoSuchKey"
assert code_of(s3.delete_bucket, Bucket=bucket) == "BucketNotEmpty"
s3.delete_object(Bucket=bucket, Key="copy ü")
result = s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": key} for key in listed]})
assert "Errors" not in result and len(result["Deleted"]) == len(listed), result
assert "Contents" not in s3.list_objects_v2(Bucket=bucket)
s3.delete_bucket(Bucket=bucket)
print("done")

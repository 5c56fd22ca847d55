"""Prints the microseconds of processor time that an upload costs boto3, with its defaults except retries."""

import os
import resource
import sys

import boto3
from botocore.client import Config

url, key_id, secret, ca_file, size, count = sys.argv[1:7]
s3 = boto3.client(
    "s3",
    endpoint_url=url,
    region_name="us-east-1",
    aws_access_key_id=key_id,
    aws_secret_access_key=secret,
    verify=ca_file,
    config=Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
)
bodies = [os.urandom(int(size)) for _ in range(4)]


def put(number):
    s3.put_object(Bucket="bench", Key=f"boto3/{number}", Body=bodies[number % len(bodies)])


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


for number in range(3):
    put(number)
before = cpu_seconds()
for number in range(int(count)):
    put(number)
print((cpu_seconds() - before) * 1e6 / int(count))

/** All tools, in the order in which they run. */
import type { Tool } from "../tool.ts";
import { awsCli } from "./aws-cli.ts";
import { boto3 } from "./boto3.ts";
import { kopia } from "./kopia.ts";
import { litestream } from "./litestream.ts";
import { minioClient } from "./minio-client.ts";
import { pgbackrest } from "./pgbackrest.ts";
import { duckdb, obstore, pyarrow } from "./python-job.ts";
import { rclone, rcloneDebian } from "./rclone.ts";
import { restic, resticDebian } from "./restic.ts";
import { s3cmd } from "./s3cmd.ts";
import { s5cmd } from "./s5cmd.ts";
import { sdkGo } from "./sdk-go.ts";
import { sdkJava } from "./sdk-java.ts";
import { sdkJavascript } from "./sdk-javascript.ts";

export const tools: readonly Tool[] = [
  awsCli,
  boto3,
  sdkJavascript,
  sdkGo,
  sdkJava,
  rcloneDebian,
  rclone,
  resticDebian,
  restic,
  kopia,
  s3cmd,
  s5cmd,
  minioClient,
  litestream,
  duckdb,
  pyarrow,
  obstore,
  pgbackrest,
];

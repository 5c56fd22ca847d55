/** Commands and code that set up an S3 client for a new access key, ready to paste. */
import type { S3Address } from "@stashlight/contracts/node";

export const s3Clients = ["aws", "rclone", "boto3"] as const;
export type S3ClientName = (typeof s3Clients)[number];

export const s3ClientLabels: Readonly<Record<S3ClientName, string>> = {
  aws: "AWS CLI",
  rclone: "rclone",
  boto3: "boto3 (Python)",
};

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const setups: Readonly<Record<S3ClientName, (key: Credentials, address: S3Address) => string[]>> = {
  aws: (key, { url, region }) => [
    `export AWS_ACCESS_KEY_ID=${key.accessKeyId}`,
    `export AWS_SECRET_ACCESS_KEY=${key.secretAccessKey}`,
    `export AWS_ENDPOINT_URL=${url} AWS_DEFAULT_REGION=${region}`,
    ...(url.startsWith("https:") ? ["export AWS_CA_BUNDLE=ca.pem"] : []),
    "aws s3 ls",
  ],
  rclone: (key, { url, region }) => [
    "rclone config create stashlight s3 provider=Other \\",
    `  access_key_id=${key.accessKeyId} \\`,
    `  secret_access_key=${key.secretAccessKey} \\`,
    `  endpoint=${url} region=${region}`,
    `rclone lsd stashlight:${url.startsWith("https:") ? " --ca-cert ca.pem" : ""}`,
  ],
  boto3: (key, { url, region }) => [
    "import boto3",
    "",
    "s3 = boto3.client(",
    '    "s3",',
    `    endpoint_url="${url}",`,
    `    region_name="${region}",`,
    `    aws_access_key_id="${key.accessKeyId}",`,
    `    aws_secret_access_key="${key.secretAccessKey}",`,
    ...(url.startsWith("https:") ? ['    verify="ca.pem",'] : []),
    ")",
    'print([bucket["Name"] for bucket in s3.list_buckets()["Buckets"]])',
  ],
};

/** Ends with a request that lists the buckets, so that the reader sees whether the set-up works. */
export function clientSetup(client: S3ClientName, key: Credentials, address: S3Address): string {
  return setups[client](key, address).join("\n");
}

/** Ready-to-paste commands for changes that the console does not make itself. */
import type { BucketTag } from "@stashlight/contracts/bucket";
import type { S3Address } from "@stashlight/contracts/node";

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function s3Command(verb: string, bucket: string, address: S3Address | null, options: string[]): string {
  const { url, region } = address ?? { url: "ADDRESS", region: "REGION" };
  return [
    `aws s3api ${verb} --bucket ${bucket}`,
    ...options,
    `--endpoint-url ${url} --region ${region}${url.startsWith("https:") ? " --ca-bundle ca.pem" : ""}`,
  ].join(" \\\n  ");
}

/** Contains the bucket's current tags, because the command replaces all of them. */
export function tagsCommand(bucket: string, tags: readonly BucketTag[], address: S3Address | null): string {
  const shown = tags.length === 0 ? [{ key: "team", value: "backup" }] : tags;
  const tagging = JSON.stringify({ TagSet: shown.map(({ key, value }) => ({ Key: key, Value: value })) });
  return s3Command("put-bucket-tagging", bucket, address, [`--tagging ${quote(tagging)}`]);
}

export function encryptCommand(bucket: string, address: S3Address | null): string {
  const rules = JSON.stringify({
    Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
  });
  const option = `--server-side-encryption-configuration ${quote(rules)}`;
  return s3Command("put-bucket-encryption", bucket, address, [option]);
}

export const rotateCommand = "npm run stashlight -- vault encryption rotate";

export function destroyKeyCommand(bucket: string): string {
  return `npm run stashlight -- vault encryption destroy-key ${bucket}`;
}

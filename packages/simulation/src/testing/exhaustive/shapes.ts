import type { Shard, UploadHeader } from "@stashlight/write-path";

export function isUploadHeader(value: object): value is UploadHeader {
  return "uploadId" in value && "order" in value && "etag" in value;
}

export function isShard(value: object): value is Shard {
  return "upload" in value && "shardIndex" in value && "payload" in value;
}

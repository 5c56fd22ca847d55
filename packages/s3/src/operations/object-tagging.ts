/** GetObjectTagging, PutObjectTagging and DeleteObjectTagging. */

import { OBJECT_TAGS, readTagging, TAGGING_ROOT, writeTagging } from "../tags/tags.ts";
import { readXml } from "../xml/request-xml.ts";
import { emptyReply, type ObjectCall, type S3Reply, xmlReply } from "./call.ts";

export async function getObjectTagging({ store, context, bucket, key }: ObjectCall): Promise<S3Reply> {
  const { attributes } = await store.findObject(context, { bucket, key });
  return xmlReply(writeTagging(attributes.tags));
}

export async function putObjectTagging({ store, context, bucket, key, body }: ObjectCall): Promise<S3Reply> {
  const tags = readTagging(readXml(await body.receiveText(), TAGGING_ROOT), OBJECT_TAGS);
  await store.putObjectTags(context, { bucket, key, tags });
  return emptyReply(200);
}

export async function deleteObjectTagging({ store, context, bucket, key }: ObjectCall): Promise<S3Reply> {
  await store.putObjectTags(context, { bucket, key, tags: [] });
  return emptyReply(204);
}

/** The operations on buckets themselves. */
import { S3Error } from "../errors.ts";
import { mayUse } from "../signature/access-key.ts";
import { readXml } from "../xml/read.ts";
import { element, xmlDocument } from "../xml/write.ts";
import { type BucketCall, emptyReply, isoTime, type S3Reply, type ServiceCall, xmlReply } from "./call.ts";
import { ownerElement } from "./list-objects.ts";

/** The region that S3 writes as no region at all. */
const NAMELESS_REGION = "us-east-1";

export async function listBuckets(call: ServiceCall): Promise<S3Reply> {
  const { store, context } = call;
  const { accessKey } = context.principal;
  const buckets = (await store.listBuckets(context)).filter(
    ({ name, owner }) => owner === accessKey.owner && mayUse(accessKey, "read", name),
  );
  return xmlReply(
    xmlDocument(
      "ListAllMyBucketsResult",
      ownerElement("Owner", call),
      element(
        "Buckets",
        buckets.map(({ name, createdMs }) =>
          element("Bucket", element("Name", name), element("CreationDate", isoTime(createdMs))),
        ),
      ),
    ),
  );
}

export async function createBucket({ store, context, region, bucket, body }: BucketCall): Promise<S3Reply> {
  const text = await body.receiveText();
  const wanted =
    text.trim() === "" ? undefined : readXml(text, "CreateBucketConfiguration").text("LocationConstraint");
  if (wanted !== undefined && wanted !== "" && wanted !== region) {
    throw new S3Error(
      "IllegalLocationConstraintException",
      `The region of this endpoint is "${region}", not "${wanted}".`,
    );
  }
  await store.createBucket(context, { bucket });
  return emptyReply(200, { location: `/${bucket}` });
}

export async function headBucket({ store, context, region, bucket }: BucketCall): Promise<S3Reply> {
  await store.headBucket(context, { bucket });
  return emptyReply(200, { "x-amz-bucket-region": region });
}

export async function deleteBucket({ store, context, bucket }: BucketCall): Promise<S3Reply> {
  await store.deleteBucket(context, { bucket });
  return emptyReply(204);
}

export async function getBucketLocation({ store, context, region, bucket }: BucketCall): Promise<S3Reply> {
  await store.headBucket(context, { bucket });
  return xmlReply(xmlDocument("LocationConstraint", region === NAMELESS_REGION ? "" : region));
}

/** PostObject: the upload of a browser's form, answered with a status or a redirect that the signer chose. */
import { utf8OfBytes } from "../../request/percent.ts";
import { element, xmlDocument } from "../../xml/write.ts";
import { emptyReply, type ObjectCall, type S3Reply } from "../call.ts";
import { putObject } from "../write-object.ts";

export async function postObject(call: ObjectCall): Promise<S3Reply> {
  const { bucket, key } = call;
  const { headers: ofUpload } = await putObject(call);
  const etag = ofUpload.etag ?? "";
  const address = call.writeAddress({ bucket, key });
  const headers = { ...ofUpload, location: address };
  const redirect = readRedirect(call);
  if (redirect !== null) {
    const query = new URLSearchParams({ bucket, key, etag });
    redirect.search = redirect.search === "" ? `?${query}` : `${redirect.search}&${query}`;
    return emptyReply(303, { ...headers, location: redirect.href });
  }
  const status = call.headers.get("success_action_status");
  if (status === "200") return emptyReply(200, headers);
  // AWS ignores any other status.
  if (status !== "201") return emptyReply(204, headers);
  const text = xmlDocument(
    "PostResponse",
    element("Location", address),
    element("Bucket", bucket),
    element("Key", key),
    element("ETag", etag),
  );
  return {
    status: 201,
    headers: { ...headers, "content-type": "application/xml" },
    body: { kind: "text", text },
  };
}

/** Returns null for an invalid address, which AWS treats as no redirect. */
function readRedirect({ headers }: ObjectCall): URL | null {
  const text = utf8OfBytes(headers.get("success_action_redirect") ?? "");
  const address = text === null ? null : URL.parse(text);
  return address !== null && /^https?:$/.test(address.protocol) ? address : null;
}

/** Default encryption of a bucket: under the vault's keys, or none. */
import { S3Error } from "../../errors.ts";
import type { XmlReader } from "../../xml/request-xml.ts";
import { element, xmlDocument } from "../../xml/write.ts";
import { checkAlgorithm } from "../encryption.ts";

const ROOT = "ServerSideEncryptionConfiguration";

/** The stored setting: the only document that can be set. */
export const BUCKET_ENCRYPTION = {
  name: "encryption",
  root: ROOT,
  document: xmlDocument(
    ROOT,
    element(
      "Rule",
      element("ApplyServerSideEncryptionByDefault", element("SSEAlgorithm", "AES256")),
      element("BucketKeyEnabled", false),
    ),
  ),
} as const;

/** Throws an S3Error unless the body requests encryption under the vault's keys and nothing else. */
export function checkBucketEncryption(body: XmlReader): void {
  const rules = body.children("Rule");
  const [rule] = rules;
  const [byDefault] = rule?.children("ApplyServerSideEncryptionByDefault") ?? [];
  const algorithm = byDefault?.text("SSEAlgorithm")?.trim();
  if (rules.length !== 1 || rule === undefined || algorithm === undefined) {
    throw new S3Error("MalformedXML", "The configuration must have one rule that names an SSEAlgorithm.");
  }
  checkAlgorithm(algorithm);
  if (byDefault?.text("KMSMasterKeyID") !== undefined) {
    throw new S3Error("InvalidArgument", "A KMSMasterKeyID is for aws:kms and aws:kms:dsse only.");
  }
  const blocked = rule.children("BlockedEncryptionTypes").flatMap((types) => types.texts("EncryptionType"));
  if (blocked.some((type) => type.trim() !== "NONE")) {
    throw new S3Error(
      "NotImplemented",
      "Blocking encryption with keys of clients (SSE-C) is not implemented.",
    );
  }
}

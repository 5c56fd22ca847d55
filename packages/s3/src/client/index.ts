export { bytesOfUtf8, percentEncode, percentEncodePath } from "../request/percent.ts";
export { createSigningKeys, type SigningKeys } from "../signature/signing-key.ts";
export { readXml, type XmlReader } from "../xml/request-xml.ts";
export type { ListedKey, ListPage, ObjectHead } from "./answers.ts";
export {
  type ObjectName,
  type OpenedObject,
  type PayloadCheck,
  type PutObjectInput,
  type PutObjectResult,
  S3Client,
  type S3ClientOptions,
} from "./client.ts";
export { S3ClientError, type S3ClientErrorKind } from "./errors.ts";
export { type SigningAccessKey, signHeaders, timestampOf } from "./sign.ts";

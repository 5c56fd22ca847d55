export { bytesOfUtf8, percentEncode, percentEncodePath } from "../request/percent.ts";
export { createSigningKeys, type SigningKeys } from "../signature/signing-key.ts";
export { readXml, type XmlReader } from "../xml/request-xml.ts";
export type { ListedKey, ListPage, ObjectHead } from "./answers.ts";
export * from "./client.ts";
export { S3ClientError, type S3ClientErrorKind } from "./errors.ts";
export { type SigningAccessKey, signHeaders, timestampOf } from "./sign.ts";

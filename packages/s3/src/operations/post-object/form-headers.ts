/** Converts the fields of a form to the headers of a PUT, so that both are checked and stored alike. */
import { S3Error } from "../../errors.ts";
import { checkHeader, createRequestHeaders, type RequestHeaders } from "../../request/headers.ts";
import { bytesOfUtf8 } from "../../request/percent.ts";
import { CONTENT_HEADERS } from "../../store.ts";
import { readXml } from "../../xml/request-xml.ts";

/** Headers that are fields under their own names, and the two fields that choose the answer to a form. */
const OWN_NAMES: readonly string[] = [
  "content-type",
  "content-md5",
  ...CONTENT_HEADERS,
  "success_action_redirect",
  "success_action_status",
];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  acl: "x-amz-acl",
  redirect: "success_action_redirect",
};
/** Already checked with the signature. */
const SIGNING_NAMES = ["x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-signature"];
/** Headers that do not apply to the body of a form and would be ignored here. */
const NOT_OF_FORMS = /^x-amz-(content-sha256|copy-source|decoded-content-length|metadata-directive|trailer)/;

/** Placeholder for the file name in any field. */
const FILE_NAME = `$\{filename}`;

/** Replaces the placeholder in every field with the file name. */
export function fillFileName(
  fields: ReadonlyMap<string, string>,
  fileName: string,
): ReadonlyMap<string, string> {
  // Uses a function, because a dollar sign in a replacement text has a special meaning.
  return new Map([...fields].map(([name, value]) => [name, value.replaceAll(FILE_NAME, () => fileName)]));
}

export function readFormHeaders(fields: ReadonlyMap<string, string>): RequestHeaders {
  const headers = new Map<string, string>();
  for (const [field, value] of fields) {
    const name = headerName(field);
    if (name === null) continue;
    const bytes = bytesOfUtf8(field === "tagging" ? readTags(value) : value);
    checkHeader(name, bytes);
    if (headers.has(name)) throw new S3Error("InvalidArgument", `The form has the field ${name} twice.`);
    headers.set(name, bytes);
  }
  return createRequestHeaders([...headers].flat());
}

/** Returns null for a field that is not a header. */
function headerName(field: string): string | null {
  if (NOT_OF_FORMS.test(field)) {
    throw new S3Error("InvalidArgument", `The field ${field} cannot be used in a form.`);
  }
  if (SIGNING_NAMES.includes(field)) return null;
  if (field === "tagging") return "x-amz-tagging";
  if (OWN_NAMES.includes(field) || field.startsWith("x-amz-")) return field;
  return Object.hasOwn(OTHER_NAMES, field) ? (OTHER_NAMES[field] as string) : null;
}

/** Converts tags from the document in a form to the query in a header. */
function readTags(xml: string): string {
  const tags = readXml(xml, "Tagging")
    .children("TagSet")
    .flatMap((set) => set.children("Tag"));
  const pairs = tags.map((tag) => [tag.text("Key") ?? "", tag.text("Value") ?? ""]);
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}

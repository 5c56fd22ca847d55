/** The fields of a form as the headers of a PUT, so that both are judged and stored alike. */
import { S3Error } from "../../errors.ts";
import { checkHeader, createRequestHeaders, type RequestHeaders } from "../../request/headers.ts";
import { bytesOfUtf8 } from "../../request/percent.ts";
import { CONTENT_HEADERS } from "../../store.ts";
import { readXml } from "../../xml/read.ts";

/** Headers that are fields under their own names, and the two that choose the answer to a form. */
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
/** They have been judged with the signature. */
const SIGNING_NAMES = ["x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-signature"];
/** Headers that describe how else a body comes than in a form, which would be ignored here. */
const NOT_OF_FORMS = /^x-amz-(content-sha256|copy-source|decoded-content-length|metadata-directive|trailer)/;

/** Stands for the name of the file in any field. */
const FILE_NAME = `$\{filename}`;

/** Fills the name of the file into every field that asks for it. */
export function fillFileName(
  fields: ReadonlyMap<string, string>,
  fileName: string,
): ReadonlyMap<string, string> {
  // A function, because a dollar sign in the name means something in a replacement.
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

/** Null for a field that is no header. */
function headerName(field: string): string | null {
  if (NOT_OF_FORMS.test(field)) {
    throw new S3Error("InvalidArgument", `The field ${field} cannot be used in a form.`);
  }
  if (SIGNING_NAMES.includes(field)) return null;
  if (field === "tagging") return "x-amz-tagging";
  if (OWN_NAMES.includes(field) || field.startsWith("x-amz-")) return field;
  return Object.hasOwn(OTHER_NAMES, field) ? (OTHER_NAMES[field] as string) : null;
}

/** A form has tags as a document, a header has them as a query. */
function readTags(xml: string): string {
  const tags = readXml(xml, "Tagging")
    .children("TagSet")
    .flatMap((set) => set.children("Tag"));
  const pairs = tags.map((tag) => [tag.text("Key") ?? "", tag.text("Value") ?? ""]);
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}

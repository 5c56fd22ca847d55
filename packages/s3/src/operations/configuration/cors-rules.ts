/** CORS rules of a bucket: which pages of other origins may read which answers in a browser. */
import { S3Error } from "../../errors.ts";
import { readXml, type XmlReader } from "../../xml/request-xml.ts";
import { element, optional, type XmlElement, xmlDocument } from "../../xml/write.ts";

export interface CorsRule {
  readonly id: string | null;
  /** May contain one asterisk, like the headers. */
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAgeSeconds: number | null;
}

export const CORS_ROOT = "CORSConfiguration";
export const CORS_BYTES_MAX = 65_536;
const RULE_COUNT_MAX = 100;
const ID_LENGTH_MAX = 255;
const METHODS = ["GET", "PUT", "HEAD", "POST", "DELETE"];

export function readCorsRules(body: XmlReader): readonly CorsRule[] {
  const rules = body.children("CORSRule").map(readRule);
  if (rules.length > 0 && rules.length <= RULE_COUNT_MAX) return rules;
  throw new S3Error("MalformedXML", `A CORS configuration has 1 to ${RULE_COUNT_MAX} rules.`);
}

export function parseCorsRules(text: string): readonly CorsRule[] {
  return readCorsRules(readXml(text, CORS_ROOT));
}

export function writeCorsRules(rules: readonly CorsRule[]): string {
  return xmlDocument(CORS_ROOT, ...rules.map(ruleElement));
}

function readRule(rule: XmlReader): CorsRule {
  const origins = rule.texts("AllowedOrigin");
  const methods = rule.texts("AllowedMethod");
  const headers = rule.texts("AllowedHeader");
  const maxAge = rule.text("MaxAgeSeconds")?.trim();
  const id = rule.text("ID") ?? null;
  if (origins.length === 0 || methods.length === 0) {
    throw new S3Error("MalformedXML", "A CORS rule needs an AllowedOrigin and an AllowedMethod.");
  }
  const unknown = methods.find((method) => !METHODS.includes(method));
  if (unknown !== undefined) {
    throw new S3Error("InvalidRequest", `A CORS rule may allow ${METHODS.join(", ")}, but not "${unknown}".`);
  }
  const wild = [...origins, ...headers].find((pattern) => pattern.split("*").length > 2);
  if (wild !== undefined) {
    throw new S3Error("InvalidRequest", `"${wild}" can not have more than one wildcard.`);
  }
  if ((maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) || (id?.length ?? 0) > ID_LENGTH_MAX) {
    throw new S3Error("MalformedXML", "MaxAgeSeconds must be a number, and an ID may have 255 characters.");
  }
  const exposed = rule.texts("ExposeHeader");
  if (exposed.some((name) => !/^[A-Za-z0-9-]+$/.test(name))) {
    throw new S3Error("InvalidRequest", "An ExposeHeader must be the name of a header, without a wildcard.");
  }
  return {
    id,
    origins,
    methods,
    headers,
    exposed,
    maxAgeSeconds: maxAge === undefined ? null : Number(maxAge),
  };
}

function ruleElement({ id, origins, methods, headers, exposed, maxAgeSeconds }: CorsRule): XmlElement {
  return element(
    "CORSRule",
    optional("ID", id),
    headers.map((name) => element("AllowedHeader", name)),
    methods.map((method) => element("AllowedMethod", method)),
    origins.map((origin) => element("AllowedOrigin", origin)),
    exposed.map((name) => element("ExposeHeader", name)),
    maxAgeSeconds === null ? null : element("MaxAgeSeconds", maxAgeSeconds),
  );
}

export interface CrossOriginRequest {
  readonly origin: string;
  readonly method: string;
  /** Names of headers that a preflight requests. */
  readonly headers: readonly string[];
}

/** Headers of the answer by the first rule that allows the request; null if no rule does. */
export function allowByCorsRules(
  rules: readonly CorsRule[],
  { origin, method, headers }: CrossOriginRequest,
): Record<string, string> | null {
  for (const rule of rules) {
    const found = rule.origins.find((pattern) => matches(pattern, origin));
    const isAllowed =
      found !== undefined &&
      rule.methods.includes(method) &&
      headers.every((name) =>
        rule.headers.some((pattern) => matches(pattern.toLowerCase(), name.toLowerCase())),
      );
    if (isAllowed) return answerHeaders(rule, found === "*" ? null : origin, headers);
  }
  return null;
}

/** An origin of null represents any origin; browsers send no credentials to a wildcard. */
function answerHeaders(
  { methods, exposed, maxAgeSeconds }: CorsRule,
  origin: string | null,
  asked: readonly string[],
): Record<string, string> {
  return {
    "access-control-allow-origin": origin ?? "*",
    "access-control-allow-methods": methods.join(", "),
    ...(asked.length > 0 && { "access-control-allow-headers": asked.join(", ") }),
    ...(exposed.length > 0 && { "access-control-expose-headers": exposed.join(", ") }),
    ...(maxAgeSeconds !== null && { "access-control-max-age": String(maxAgeSeconds) }),
    ...(origin !== null && { "access-control-allow-credentials": "true" }),
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

function matches(pattern: string, text: string): boolean {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

/** Converts the rules that aws-cli takes as JSON into the XML that it sends. XML is unchanged. */
import { UsageError } from "../usage-error.ts";

/** Lists of AWS's model, whose elements have their own names in XML. */
const ELEMENTS: Readonly<Record<string, string>> = { Rules: "Rule", Tags: "Tag" };

export function toRulesDocument(text: string): string {
  if (text.trimStart().startsWith("<")) return text;
  let rules: unknown;
  try {
    rules = JSON.parse(text);
  } catch {
    throw new UsageError(
      "--rules must be JSON as aws s3api put-bucket-lifecycle-configuration takes it, or XML.",
    );
  }
  return `<LifecycleConfiguration>${renderXml(rules)}</LifecycleConfiguration>`;
}

function renderXml(value: unknown): string {
  if (typeof value !== "object" || value === null) return escapeXml(String(value));
  return Object.entries(value)
    .flatMap(([name, child]) =>
      Array.isArray(child)
        ? child.map((each) => renderElement(ELEMENTS[name] ?? name, each))
        : [renderElement(name, child)],
    )
    .join("");
}

function renderElement(name: string, value: unknown): string {
  const tag = escapeXml(name);
  return `<${tag}>${renderXml(value)}</${tag}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

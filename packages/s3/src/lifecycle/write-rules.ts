/** Writes a lifecycle configuration in the form in which it was given. */
import { element, optional, type XmlElement, xmlDocument } from "../xml/write.ts";
import { LIFECYCLE_ROOT } from "./read-rules.ts";
import type { Expiration, LifecycleFilter, LifecycleRule } from "./rules.ts";

export function writeLifecycleRules(rules: readonly LifecycleRule[]): string {
  return xmlDocument(LIFECYCLE_ROOT, ...rules.map(writeRule));
}

function writeRule({ id, isEnabled, form, filter, expiration, abortAfterDays }: LifecycleRule): XmlElement {
  return element(
    "Rule",
    element("ID", id),
    form === "prefix" ? element("Prefix", filter.prefix ?? "") : writeFilter(form, filter),
    element("Status", isEnabled ? "Enabled" : "Disabled"),
    expiration && element("Expiration", writeExpiration(expiration)),
    abortAfterDays === null
      ? null
      : element("AbortIncompleteMultipartUpload", element("DaysAfterInitiation", abortAfterDays)),
  );
}

function writeFilter(form: "filter" | "and", filter: LifecycleFilter): XmlElement {
  const conditions = [
    optional("Prefix", filter.prefix),
    ...filter.tags.map(({ key, value }) => element("Tag", element("Key", key), element("Value", value))),
    filter.sizeBytesAbove === null ? null : element("ObjectSizeGreaterThan", filter.sizeBytesAbove),
    filter.sizeBytesBelow === null ? null : element("ObjectSizeLessThan", filter.sizeBytesBelow),
  ];
  return form === "and" ? element("Filter", element("And", ...conditions)) : element("Filter", ...conditions);
}

function writeExpiration(expiration: Expiration): XmlElement {
  if (expiration.kind === "days") return element("Days", expiration.days);
  if (expiration.kind === "date") return element("Date", new Date(expiration.dateMs).toISOString());
  return element("ExpiredObjectDeleteMarker", expiration.isWanted);
}

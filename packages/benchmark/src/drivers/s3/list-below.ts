/** Lists everything below a prefix in the form needed for deletion: keys, with versions if the endpoint has them. */
import { readXml, type XmlReader } from "@stashlight/s3/client";
import type { FoundObject } from "../../endpoint/driver.ts";
import { EndpointError } from "../../endpoint/explain-failure.ts";

type AskPage = (query: Readonly<Record<string, string>>) => Promise<{ readonly text: string }>;

/** Codes of endpoints that do not support listing versions. */
const WITHOUT_VERSIONS = new Set([
  "NotImplemented",
  "MethodNotAllowed",
  "Http405",
  "Http501",
  "InvalidArgument",
]);

/** Reads page by page; deletions between two pages are harmless. Rejects with an EndpointError. */
export async function* listBelow(prefix: string, ask: AskPage): AsyncGenerator<readonly FoundObject[]> {
  try {
    yield* pages(ask, { versions: "", prefix }, readVersions);
  } catch (error) {
    if (!(error instanceof EndpointError && WITHOUT_VERSIONS.has(error.failure.code))) throw error;
    yield* pages(ask, { "list-type": "2", prefix }, readObjects);
  }
}

interface Page {
  readonly found: readonly FoundObject[];
  /** Query parameters for the next page; null on the last page. */
  readonly next: Readonly<Record<string, string>> | null;
}

async function* pages(
  ask: AskPage,
  query: Readonly<Record<string, string>>,
  read: (text: string) => Page,
): AsyncGenerator<readonly FoundObject[]> {
  let next: Readonly<Record<string, string>> | null = {};
  while (next !== null) {
    const { text } = await ask({ ...query, "encoding-type": "url", "max-keys": "1000", ...next });
    const page: Page = read(text);
    yield page.found;
    next = page.next;
  }
}

function readVersions(text: string): Page {
  const xml = readXml(text, "ListVersionsResult");
  const found = [...xml.children("Version"), ...xml.children("DeleteMarker")].map((entry) => ({
    key: decoded(need(entry, "Key")),
    versionId: need(entry, "VersionId"),
  }));
  if (xml.text("IsTruncated") !== "true") return { found, next: null };
  const version = xml.text("NextVersionIdMarker");
  return {
    found,
    next: {
      "key-marker": decoded(need(xml, "NextKeyMarker")),
      ...(version === undefined || version === "" ? {} : { "version-id-marker": version }),
    },
  };
}

function readObjects(text: string): Page {
  const xml = readXml(text, "ListBucketResult");
  const found = xml
    .children("Contents")
    .map((entry) => ({ key: decoded(need(entry, "Key")), versionId: null }));
  if (xml.text("IsTruncated") !== "true") return { found, next: null };
  return { found, next: { "continuation-token": need(xml, "NextContinuationToken") } };
}

function need(xml: XmlReader, name: string): string {
  const text = xml.text(name);
  if (text === undefined) throw new Error(`The endpoint's list has no ${name}.`);
  return text;
}

function decoded(key: string): string {
  return decodeURIComponent(key.replaceAll("+", "%20"));
}

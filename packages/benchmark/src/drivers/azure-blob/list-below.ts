/** Lists all blobs below a prefix, with versions if the account keeps them. */
import { readXml, type XmlReader } from "@stashlight/s3/client";
import type { FoundObject } from "../../endpoint/driver.ts";
import { EndpointError } from "../../endpoint/explain-failure.ts";

export type AskPage = (query: Readonly<Record<string, string>>) => Promise<{ readonly text: string }>;

export const listQuery = (prefix: string, countMax: number) => ({
  restype: "container",
  comp: "list",
  prefix,
  maxresults: String(countMax),
});

const PAGE_COUNT_MAX = 1000;

/** Reads page by page. Accounts with a hierarchical namespace refuse to list versions, because they have none. */
export async function* listBelow(prefix: string, ask: AskPage): AsyncGenerator<readonly FoundObject[]> {
  try {
    yield* pages(prefix, { include: "versions" }, ask);
  } catch (error) {
    if (!(error instanceof EndpointError && error.failure.status === 400)) throw error;
    yield* pages(prefix, {}, ask);
  }
}

async function* pages(
  prefix: string,
  more: Readonly<Record<string, string>>,
  ask: AskPage,
): AsyncGenerator<readonly FoundObject[]> {
  for (let marker = ""; ; ) {
    const next: Readonly<Record<string, string>> = marker === "" ? {} : { marker };
    const { text } = await ask({ ...listQuery(prefix, PAGE_COUNT_MAX), ...more, ...next });
    const xml = readXml(withoutMark(text), "EnumerationResults");
    yield (xml.children("Blobs")[0]?.children("Blob") ?? []).map(parseFoundObject);
    marker = xml.text("NextMarker") ?? "";
    if (marker === "") return;
  }
}

/**
 * The current version must be deleted by its name alone, which turns it into an earlier version; earlier ones are
 * deleted by id.
 */
function parseFoundObject(blob: XmlReader): FoundObject {
  const name = blob.text("Name");
  if (name === undefined) throw new Error("The endpoint's list has a blob without a name.");
  const versionId = blob.text("VersionId");
  const isEarlier = versionId !== undefined && blob.text("IsCurrentVersion") !== "true";
  return { key: name, versionId: isEarlier ? versionId : null };
}

/** The service begins its documents with a byte order mark. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");

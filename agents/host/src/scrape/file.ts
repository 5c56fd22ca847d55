/** The scrape file: stores whose own metrics a host agent reads. docs/watch-machines.md has an example. */
import { readFile } from "node:fs/promises";
import { parseReadable } from "@stashlight/contracts/readable-file";
import { z } from "zod";
import { ArgumentError, type Medium } from "../arguments.ts";
import { type SourceKindName, sourceKindNames } from "./kinds/index.ts";

export interface ScrapeSource {
  readonly name: string;
  readonly kind: SourceKindName;
  readonly urls: readonly URL[];
  readonly everySeconds: number;
  /** Medium of its drives, for a source that does not report it. */
  readonly medium: Medium | null;
  readonly tokenFile: string | null;
  readonly caFile: string | null;
}

/** Enough for an agent, which reads one or two stores; the stores of a fleet have their own agents. */
const SOURCES_MAX = 16;
const URLS_MAX = 32;

const path = z.string().startsWith("/", "must be an absolute path");

const address = z
  .string("must be an address such as http://mgr.example.org:9283/metrics")
  .transform((text, context) => {
    const url = URL.parse(text);
    if (url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "")
      return url;
    context.addIssue({
      code: "custom",
      message: "must be an address such as http://mgr.example.org:9283/metrics, without a name or a password",
    });
    return z.NEVER;
  });

const sourceSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, {
      message: "must be up to 40 lower-case letters, digits and dashes",
    }),
    kind: z.enum(sourceKindNames, `must be ${sourceKindNames.join(", ")}`),
    urls: z
      .array(address)
      .min(1, "must have an address")
      .max(URLS_MAX, `must have ${URLS_MAX} addresses or fewer`),
    everySeconds: z.number().min(5, "must be 5 or more").max(300, "must be 300 or less").default(15),
    medium: z.enum(["ssd", "hdd"], "must be ssd or hdd").nullable().default(null),
    tokenFile: path.nullable().default(null),
    caFile: path.nullable().default(null),
  })
  .superRefine(({ kind, medium, caFile, urls }, context) => {
    if (kind !== "ceph" && medium === null) {
      const message = `must be ssd or hdd, because ${kind} does not report it`;
      context.addIssue({ code: "custom", path: ["medium"], message });
    }
    if (caFile !== null && !urls.some(({ protocol }) => protocol === "https:")) {
      context.addIssue({ code: "custom", path: ["caFile"], message: "is of use only with an https address" });
    }
  });

const fileSchema = z.strictObject({
  sources: z
    .array(sourceSchema)
    .min(1, "must name a source")
    .max(SOURCES_MAX, `must have ${SOURCES_MAX} sources or fewer`)
    .superRefine((sources, context) => {
      for (const [at, { name }] of sources.entries()) {
        if (sources.findIndex((other) => other.name === name) === at) continue;
        context.addIssue({ code: "custom", path: [at, "name"], message: `${name} is given to two sources` });
      }
    }),
});

/** Throws an ArgumentError with a sentence for each mistake. */
export async function readScrapeFile(file: string): Promise<ScrapeSource[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new ArgumentError(`--scrape: ${file} cannot be read: ${(error as Error).message}.`);
  }
  return parseScrapeFile(text, file);
}

export function parseScrapeFile(text: string, file: string): ScrapeSource[] {
  const read = parseReadable(text, file, fileSchema);
  if (read.type === "faulty") throw new ArgumentError(read.faults.join("\n"));
  return read.value.sources;
}

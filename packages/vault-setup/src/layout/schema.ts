/**
 * The layout: a file, written by the operator, from which a vault is created. docs/vault-life-cycle.md has an example.
 */
import { parseSize } from "@stashlight/contracts/sample";
import { quorumsOf, type Scheme } from "@stashlight/write-path";
import { z } from "zod";

/** Shorter than the name of a node, which is the machine's name followed by the role. */
const plainName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, "must be up to 40 lower-case letters, digits and dashes");
const hostName = z
  .string()
  .regex(
    /^([0-9a-fA-F:]+:[0-9a-fA-F:.]*|[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)$/,
    "must be an IP address or a host name",
  );
/** First of up to six ports that a machine's nodes use. */
const portFrom = z
  .int("must be a port number")
  .min(1024, "must be 1024 or more")
  .max(65_530, "must be 65530 or less");

const scheme = z
  .string('must be a scheme such as "16+4"')
  .regex(/^\d{1,3}\+\d{1,3}$/, "must be data and parity shards, such as 16+4")
  .transform((text, context): Scheme => {
    const [dataShardCount = 0, parityShardCount = 0] = text.split("+").map(Number);
    try {
      quorumsOf({ dataShardCount, parityShardCount });
    } catch (error) {
      context.addIssue({ code: "custom", message: `is not possible: ${(error as Error).message}` });
    }
    return { dataShardCount, parityShardCount };
  });

const size = z.union([z.string(), z.number()]).transform((value, context) => {
  const bytes = parseSize(String(value));
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  context.addIssue({ code: "custom", message: "must be a size such as 4TB or 200GiB" });
  return 0;
});

const folders = z.union([z.string(), z.array(z.string())]).transform((value, context) => {
  const paths = [value].flat().flatMap(expandRange);
  for (const path of paths) {
    if (!path.startsWith("/") || path.includes("/../") || /\s/.test(path)) {
      context.addIssue({
        code: "custom",
        message: `must be absolute folders without spaces; got "${path}"`,
      });
    }
  }
  return paths.map((path) => (path.length > 1 ? path.replace(/\/+$/, "") : path));
});

const token = z
  .string()
  .regex(/^sle_[A-Za-z0-9_-]{43}$/, "must be an enrolment token from the console, which begins with sle_");

const machine = z.strictObject({
  name: plainName,
  address: hostName,
  /** Unit that fails as a whole, such as a room or a power feed. */
  zone: plainName.optional(),
  port: portFrom.optional(),
  coordinator: z.boolean("must be true or false").default(false),
  pods: folders.default([]),
  stash: folders.default([]),
});

export const layoutSchema = z.strictObject({
  vault: plainName,
  scheme,
  size: z.strictObject({ pod: size, stash: size }),
  port: portFrom.default(4700),
  s3: z
    .strictObject({
      port: z
        .int("must be a port number")
        .min(1, "must be a port number")
        .max(65_535, "must be a port number"),
      tls: z.boolean("must be true or false"),
      /** Additional names under which clients reach the coordinators, such as that of a load balancer. */
      names: z.array(hostName),
      /** Domains with buckets as subdomains, such as s3.example.org. */
      domains: z.array(
        z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, "must be a domain in lower case"),
      ),
    })
    .partial()
    .default({}),
  console: z
    .strictObject({
      ingest: z
        .url({ protocol: /^https?$/, error: "must be http:// or https:// with a host" })
        .refine((url) => URL.canParse(url) && new URL(url).pathname === "/", "must have no path"),
      tokens: z.strictObject({ pod: token, stash: token, coordinator: token }).partial().optional(),
    })
    .optional(),
  machines: z.array(machine, "must be a list of machines").min(1, "must name at least one machine"),
});

export type Layout = z.output<typeof layoutSchema>;
export type Machine = Layout["machines"][number];

/** "/srv/hdd{0..3}" expands to four folders. */
function expandRange(path: string): string[] {
  const [, before = "", first = "", last = "", after = ""] =
    /^(.*)\{(\d{1,3})\.\.(\d{1,3})\}(.*)$/s.exec(path) ?? [];
  if (first === "") return [path];
  const count = Number(last) - Number(first) + 1;
  if (count < 1) return [path];
  return Array.from({ length: count }, (_, at) => `${before}${Number(first) + at}${after}`).flatMap(
    expandRange,
  );
}

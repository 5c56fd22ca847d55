/**
 * An endpoint as a file: the console's fields, and the location of its credentials. A secret is never an argument,
 * which every process of the machine can read.
 *
 *     { "name": "B2", "kind": "b2", "url": "https://s3.us-west-004.backblazeb2.com", "region": "us-west-004",
 *       "bucket": "benchmarks", "credentials": { "accessKeyIdFrom": "B2_KEY_ID", "secretAccessKeyFrom": "B2_KEY" } }
 */
import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  credentialsProblem,
  type EndpointCredentials,
  endpointCredentialsSchema,
  endpointPlaceSchema,
} from "@stashlight/contracts/endpoint";
import { z } from "zod";
import { UsageError } from "../usage-error.ts";

const environmentName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/, "It must be the name of an environment variable.");

const endpointFileSchema = endpointPlaceSchema.extend({
  credentials: z.strictObject({
    accessKeyId: z.string().optional(),
    /** Environment variable with the value. */
    accessKeyIdFrom: environmentName.optional(),
    secretAccessKey: z.string().optional(),
    secretAccessKeyFrom: environmentName.optional(),
    /** File with the value, such as a service account's key file; relative to the folder of this file. */
    secretAccessKeyFile: z.string().min(1).optional(),
  }),
});
type EndpointFile = z.output<typeof endpointFileSchema>;

export interface BenchEndpoint {
  readonly place: Omit<EndpointFile, "credentials" | "priceList">;
  readonly priceList: EndpointFile["priceList"];
  readonly credentials: EndpointCredentials;
}

export interface EndpointFileSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly warn: (line: string) => void;
}

/** Throws a UsageError that names the file and the mistake. */
export async function readEndpointFile(
  path: string,
  { environment, warn }: EndpointFileSurroundings,
): Promise<BenchEndpoint> {
  const parsed = endpointFileSchema.safeParse(await readJson(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UsageError(`${path}: ${issue?.path.join(".") || "the file"}: ${issue?.message}`);
  }
  const { credentials: given, priceList, ...place } = parsed.data;
  const accessKeyId = given.accessKeyId ?? fromEnvironment(path, given.accessKeyIdFrom, environment) ?? "";
  if (given.secretAccessKey !== undefined) await warnOfReaders(path, warn);
  const secretAccessKey =
    given.secretAccessKey ??
    fromEnvironment(path, given.secretAccessKeyFrom, environment) ??
    (given.secretAccessKeyFile === undefined
      ? undefined
      : (await readText(resolve(dirname(path), given.secretAccessKeyFile))).trim());
  const credentials = endpointCredentialsSchema.safeParse({ accessKeyId, secretAccessKey });
  if (!credentials.success)
    throw new UsageError(`${path}: credentials: ${credentials.error.issues[0]?.message}`);
  const problem = credentialsProblem(place.kind, credentials.data);
  if (problem !== null) throw new UsageError(`${path}: credentials.${problem.field}: ${problem.message}`);
  return { place, priceList, credentials: credentials.data };
}

async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as SyntaxError).message}.`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"}).`,
    );
  }
}

function fromEnvironment(
  path: string,
  name: string | undefined,
  environment: EndpointFileSurroundings["environment"],
): string | undefined {
  if (name === undefined) return undefined;
  const value = environment[name];
  if (value === undefined || value === "")
    throw new UsageError(`${path}: the environment variable ${name} is not set.`);
  return value;
}

const READABLE_BY_OTHERS = 0o044;

async function warnOfReaders(path: string, warn: (line: string) => void): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & READABLE_BY_OTHERS) !== 0)
    warn(`${path} holds a secret and can be read by other users; chmod 600 prevents that.`);
}

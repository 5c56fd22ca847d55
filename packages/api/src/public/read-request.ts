/** Parses a request of the public API by the operation's schemas. */
import { StashlightError } from "@stashlight/contracts/errors";
import { refuseReservedNames } from "@stashlight/contracts/json";
import {
  type ApiOperation,
  type ApiOperationName,
  apiOperations,
  publicApiPath,
} from "@stashlight/contracts/public-api";
import type { z } from "zod";
import { operationParameters } from "./openapi.ts";

const operations = Object.entries(apiOperations) as [ApiOperationName, ApiOperation][];

export interface FoundOperation {
  readonly name: ApiOperationName;
  readonly operation: ApiOperation;
  readonly inPath: Readonly<Record<string, string>>;
}

/** Finds the operation for a method and path; path parameters are not decoded yet. */
export function findOperation(method: string, pathname: string): FoundOperation {
  const path = pathname.slice(publicApiPath.length).replace(/\/$/, "");
  const matches = operations.flatMap(([name, operation]) => {
    const inPath = matchPath(operation.path, path);
    return inPath === null ? [] : [{ name, operation, inPath }];
  });
  const found = matches.find(({ operation }) => operation.method === method);
  if (found !== undefined) return found;
  if (matches.length === 0) {
    throw new StashlightError("not_found", `There is no such address; see ${publicApiPath}/openapi.json.`);
  }
  const allowed = matches.map(({ operation }) => operation.method).join(" or ");
  throw new StashlightError("not_found", `Call this address with ${allowed} instead of ${method}.`);
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const [parts, given] = [pattern.split("/"), path.split("/")];
  if (parts.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const text = given[index] ?? "";
    if (part.startsWith("{")) found[part.slice(1, -1)] = text;
    else if (part !== text) return null;
  }
  return found;
}

/** Combines all parameters of the request into one object. */
export async function readInput({ operation, inPath }: FoundOperation, request: Request): Promise<object> {
  const search = new URL(request.url).searchParams;
  const query = operation.inQuery === undefined ? refuseQuery(search) : fromQuery(operation, search);
  return {
    ...(operation.inPath === undefined ? {} : parsed(operation.inPath, inPath)),
    ...(operation.inQuery === undefined ? {} : parsed(operation.inQuery, query)),
    ...(operation.body === undefined ? {} : (parsed(operation.body, await readBody(request)) as object)),
  };
}

function refuseQuery(search: URLSearchParams): object {
  const [name] = search.keys();
  if (name !== undefined) throw invalid(`There is no parameter ${name} here.`, name);
  return {};
}

function fromQuery(operation: ApiOperation, search: URLSearchParams): Record<string, string | string[]> {
  const lists = new Set(
    operationParameters(operation).flatMap(({ name, schema }) => (schema.type === "array" ? [name] : [])),
  );
  // Without a prototype every parameter is an own property, whatever its name, so the schema refuses unknown ones.
  const values: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name);
    if (all.some((value) => value.includes("\0"))) throw invalid("The text contains a NUL character.", name);
    if (!lists.has(name) && all.length > 1) throw invalid(`Pass ${name} only once.`, name);
    values[name] = lists.has(name) ? all : (all[0] ?? "");
  }
  return values;
}

async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw invalid("Send the body as JSON, with the header Content-Type: application/json.");
  }
  const text = await request.text();
  // Postgres stores no NUL in text, so it is refused anywhere in the body.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) throw invalid("The text contains a NUL character; remove it.");
  const body = parseJson(text);
  refuseReservedNames(body);
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The body is not JSON.");
  }
}

function parsed<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") || undefined;
  const message = issue?.message ?? "The request could not be read.";
  throw invalid(field === undefined ? message : `${field}: ${message}`, field);
}

const invalid = (message: string, field?: string): StashlightError =>
  new StashlightError("invalid_input", message, field === undefined ? {} : { field });

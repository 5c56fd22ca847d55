/** Builds the OpenAPI 3.1 document of the public API from the table of operations and their schemas. */
import { apiScopeWords } from "@stashlight/contracts/api-token";
import {
  type ApiOperation,
  apiOperations,
  errorSchema,
  publicApiPath,
} from "@stashlight/contracts/public-api";
import { z } from "zod";

export type JsonSchema = { readonly [key: string]: unknown };

const described = new Set([401, 403, 429]);
const words: Record<number, string> = {
  200: "The answer.",
  201: "The resource was created.",
  202: "The run was queued.",
  400: "The request cannot be read; the message names the part and the reason.",
  401: "The token is missing, unknown, revoked or expired.",
  403: "The token lacks the scope, or its owner the role.",
  404: "There is no such resource.",
  409: "The request conflicts with the current state; the message names the reason.",
  412: "Something else has to be done first; the message names it.",
  429: "Too many requests; the header Retry-After has the seconds to wait.",
};

const errorRef = { $ref: "#/components/schemas/Error" };
const json = (schema: JsonSchema) => ({ "application/json": { schema } });

/** Removes keywords that are valid only in a standalone schema. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** Returns a parameter per property; arrays are passed by repeating the name. */
function parametersIn(place: "path" | "query", schema: z.ZodObject | undefined): Parameter[] {
  if (schema === undefined) return [];
  const object = toJsonSchema(schema, "input") as {
    properties: Record<string, JsonSchema & { description?: string }>;
    required?: string[];
  };
  return Object.entries(object.properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: object.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

export const operationParameters = (operation: ApiOperation): Parameter[] => [
  ...parametersIn("path", operation.inPath),
  ...parametersIn("query", operation.inQuery),
];

/** Returns the error statuses that an operation can answer with, given its input. */
function failureStatuses({ inPath, inQuery, body, method }: ApiOperation): number[] {
  const reads = inPath !== undefined || inQuery !== undefined || body !== undefined;
  const changes = method === "POST";
  return [
    ...(reads ? [400] : []),
    ...described,
    ...(inPath !== undefined || changes ? [404] : []),
    ...(changes ? [409, 412] : []),
  ].sort();
}

function operationObject(operationId: string, operation: ApiOperation): object {
  const { tag, scope, summary, body, status, answerName } = operation;
  const failures = failureStatuses(operation).map((code) => [
    code,
    { description: words[code], content: json(errorRef) },
  ]);
  const answered = {
    description: words[status],
    content: json({ $ref: `#/components/schemas/${answerName}` }),
  };
  return {
    operationId,
    tags: [tag],
    summary,
    description: `Needs the scope \`${scope}\` (${apiScopeWords[scope]}).`,
    parameters: operationParameters(operation),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json(toJsonSchema(body, "input")) } }),
    responses: { [status]: answered, ...Object.fromEntries(failures) },
  };
}

/** `serverUrl` is the address of the console. */
export function openApiDocument(serverUrl: string, version: string): object {
  const operations: [string, ApiOperation][] = Object.entries(apiOperations);
  const paths = Map.groupBy(operations, ([, { path }]) => path);
  return {
    openapi: "3.1.0",
    info: {
      title: "Stashlight",
      version,
      summary: "Health, metrics and benchmarks of storage with a shard stash.",
      description:
        "Every request carries a token of Settings > API tokens. Times are ISO 8601 in UTC; unknown values are null, never zero.",
    },
    servers: [{ url: `${serverUrl}${publicApiPath}` }],
    security: [{ token: [] }],
    tags: [...new Set(operations.map(([, { tag }]) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, ofPath]) => [
        path,
        Object.fromEntries(
          ofPath.map(([id, each]) => [each.method.toLowerCase(), operationObject(id, each)]),
        ),
      ]),
    ),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Error: toJsonSchema(errorSchema, "output"),
        ...Object.fromEntries(
          operations.map(([, { answerName, answer }]) => [answerName, toJsonSchema(answer, "output")]),
        ),
      },
    },
  };
}

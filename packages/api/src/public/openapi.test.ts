import { Validator } from "@seriousme/openapi-schema-validator";
import { apiOperations } from "@stashlight/contracts/public-api";
import { expect, test } from "vitest";
import { openApiDocument, operationParameters } from "./openapi.ts";

const document = () => JSON.parse(JSON.stringify(openApiDocument("https://stashlight.example.org", "1.2.3")));

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  expect(await validator.validate(document())).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("the document has every operation of the table, with its scope and failures", () => {
  const { paths, servers } = document();
  expect(servers).toEqual([{ url: "https://stashlight.example.org/api/v1" }]);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(
      methods as Record<string, { operationId: string; description: string; responses: object }>,
    ).map(([method, { operationId, description, responses }]) => ({
      path,
      method: method.toUpperCase(),
      operationId,
      description,
      statuses: Object.keys(responses),
    })),
  );
  for (const [name, { path, method, scope, status }] of Object.entries(apiOperations)) {
    const found = described.find(({ operationId }) => operationId === name);
    expect(found).toMatchObject({ path, method, description: expect.stringContaining(scope) });
    expect(found?.statuses).toEqual(expect.arrayContaining([String(status), "401", "403", "429"]));
  }
  expect(described).toHaveLength(Object.keys(apiOperations).length);
});

test("the document describes every path parameter, and no others", () => {
  for (const operation of Object.values(apiOperations)) {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = operationParameters(operation).filter(({ in: place }) => place === "path");
    expect(described.map(({ name }) => name)).toEqual(inPath);
    expect(described.every(({ required }) => required)).toBe(true);
  }
});

test("a parameter with a default is optional, and lists are arrays", () => {
  const byName = new Map(operationParameters(apiOperations.queryMetric).map((each) => [each.name, each]));
  expect(byName.get("metric")).toMatchObject({ in: "query", required: true });
  expect(byName.get("from")).toMatchObject({ required: false, schema: { default: "now-1h" } });
  expect(byName.get("label")).toMatchObject({ required: false, schema: { type: "array" } });
  expect(byName.get("step")).toMatchObject({ required: false, schema: { type: "number" } });
});

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { binaryArray, readMoment } from "./binary-array.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.runtimeUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const echo = async (array: Buffer, type: string): Promise<string[]> => {
  const { rows } = await client.query(`SELECT v::text FROM unnest($1::${type}[]) AS v`, [array]);
  return rows.map(({ v }) => v);
};

test("written values of each type are read back by Postgres", async () => {
  expect(await echo(binaryArray.int4([0, -1, 2 ** 31 - 1]), "int4")).toEqual(["0", "-1", "2147483647"]);
  const whole = [0, -1, 1_763_700_000_001, Number.MAX_SAFE_INTEGER, -(2 ** 40)];
  expect(await echo(binaryArray.int8(whole), "int8")).toEqual(whole.map(String));
  expect(await echo(binaryArray.float8([0.1, -1e300, 5e-324]), "float8")).toEqual([
    "0.1",
    "-1e+300",
    "5e-324",
  ]);
  expect(await echo(binaryArray.float4([0.5, 1e-7]), "float4")).toEqual(["0.5", "1e-07"]);
  const uuid = "0191d0a4-5f6e-7a3b-8c9d-0123456789ab";
  expect(await echo(binaryArray.uuid([uuid]), "uuid")).toEqual([uuid]);
  const bytes = [new Uint8Array(0), Uint8Array.of(0, 255, 92)];
  expect(await echo(binaryArray.bytea(bytes), "bytea")).toEqual(["\\x", "\\x00ff5c"]);
  expect(await echo(binaryArray.int4([]), "int4")).toEqual([]);
});

test("moments are exact to the millisecond, including those before 2000", async () => {
  const moments = [0, 946_684_799_999, 1_763_700_000_001];
  const { rows } = await client.query(
    "SELECT extract(epoch FROM v) * 1000 AS ms, timestamptz_send(v) AS sent FROM unnest($1::timestamptz[]) AS v",
    [binaryArray.timestamptz(moments)],
  );
  expect(rows.map(({ ms }) => Number(ms))).toEqual(moments);
  const sent = rows.map((row) => row.sent as Buffer);
  expect(sent.map((each) => readMoment(new DataView(each.buffer, each.byteOffset, 8), 0))).toEqual(moments);
});

import { expect, onTestFinished, test } from "vitest";
import { openDatabase, runtimeConnection } from "./client.ts";
import { createTestDatabase } from "./testing/index.ts";

const ours = "-c role=stashlight_app -c TimeZone=UTC";

test.each([
  ["postgres://a:b@h/d", "postgres://a:b@h/d", ours],
  ["postgres://a:b@h/d?sslmode=require", "postgres://a:b@h/d?sslmode=require", ours],
  ["postgres://a:b@h/d?options=-c%20a%3D1", "postgres://a:b@h/d", `-c a=1 ${ours}`],
  ["postgres://a@/d?host=%2Frun&options=-c+a=1&x=1", "postgres://a@/d?host=%2Frun&x=1", `-c a=1 ${ours}`],
  ["postgres://a:b@h/d?options=-c%20a%3D1&options=", "postgres://a:b@h/d", ` ${ours}`],
])("the options of %s come before ours", (url, connectionString, options) => {
  expect(runtimeConnection(url)).toEqual({ connectionString, options });
});

test.each(["-c statement_timeout=60000", "-c statement_timeout=60000 -c role=none -c TimeZone=Asia/Tokyo"])(
  "with the options %s in its connection string a session still acts as the runtime role, in UTC",
  async (options) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const url = new URL(database.ownerUrl);
    url.searchParams.set("options", options);
    const db = openDatabase({ url: url.href, applicationName: "test", connectionsMax: 1 });
    const rows = await db.$queryRaw`SELECT current_user::text AS role, current_setting('TimeZone') AS zone,
      current_setting('statement_timeout') AS timeout`;
    await db.$disconnect();
    expect(rows).toEqual([{ role: "stashlight_app", zone: "UTC", timeout: "1min" }]);
  },
);

import { type APIRequestContext, expect } from "@playwright/test";

/** Calls a procedure of the installation at `url` as the signed-in user, and returns its answer. */
export async function post<Answer>(
  request: APIRequestContext,
  url: string,
  procedure: string,
  json: object,
): Promise<Answer> {
  const made = await request.post(`${url}/api/trpc/${procedure}`, {
    headers: { origin: url },
    data: { json },
  });
  expect(made.ok(), await made.text()).toBe(true);
  return (await made.json()).result.data.json;
}

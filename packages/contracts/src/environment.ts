/** Environment that every process of the product reads, and the messages for wrong values. */
import { z } from "zod";

export const commonEnvironment = {
  DATABASE_URL: z.string().min(1, "is not set; give the connection string of the database"),
  STASHLIGHT_SECRET: z.string().min(32, "must have at least 32 characters"),
  STASHLIGHT_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://stashlight.example.org" })
    .transform((text) => new URL(text).origin),
};

const portWords = "must be a port number";
/** 0 lets the system choose. */
export const portNumber = z.coerce.number(portWords).int(portWords).min(0, portWords).max(65_535, portWords);

/** Throws a sentence that names the wrong variable. */
export function parseEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0]);
  throw new Error(`${name} ${env[name] === undefined ? "is not set" : issue?.message}.`);
}

import { parseTrustedProxies } from "@stashlight/services";
import { z } from "zod";

export const ingestPortDefault = 4685;

const schema = z.object({
  DATABASE_URL: z.string().min(1, "is not set; give the connection string of the database"),
  STASHLIGHT_SECRET: z.string().min(32, "must have at least 32 characters"),
  STASHLIGHT_PUBLIC_URL: z.url("must be an address such as https://stashlight.example.org"),
  STASHLIGHT_INGEST_HOST: z.string().default("127.0.0.1"),
  STASHLIGHT_INGEST_PORT: z.coerce
    .number("must be a port number")
    .int("must be a port number")
    .min(0, "must be a port number")
    .max(65_535, "must be a port number")
    .default(ingestPortDefault),
  STASHLIGHT_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text, context) => {
      try {
        return parseTrustedProxies(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: `is wrong: ${(error as Error).message}` });
        return z.NEVER;
      }
    }),
});

export type IngestEnv = z.output<typeof schema>;

/** The ingest's environment, or one sentence that names the variable that is wrong. */
export function parseEnv(env: Record<string, string | undefined>): IngestEnv {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0]);
  const message = env[name] === undefined ? "is not set" : issue?.message;
  throw new Error(`${name} ${message}.`);
}

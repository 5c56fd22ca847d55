import { z } from "zod";

const schema = z.object({
  DATABASE_URL: z.string().min(1, "is not set; give the connection string of the database"),
  STASHLIGHT_SECRET: z.string().min(32, "must have at least 32 characters"),
  STASHLIGHT_PUBLIC_URL: z.url("must be an address such as https://stashlight.example.org"),
  STASHLIGHT_DATA_DIR: z.string().optional(),
});

export type WorkerEnv = z.output<typeof schema>;

/** The worker's environment, or one sentence that names the variable that is wrong. */
export function parseEnv(env: Record<string, string | undefined>): WorkerEnv {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0]);
  const message = env[name] === undefined ? "is not set" : issue?.message;
  throw new Error(`${name} ${message}.`);
}

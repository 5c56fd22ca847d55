import { commonEnvironment, parseEnvironment, portNumber } from "@stashlight/contracts/environment";
import { isTimeZone } from "@stashlight/contracts/time";
import { z } from "zod";

const schema = z.object({
  ...commonEnvironment,
  /** Time zone of the weekly report, which is sent on Monday at 8; the machine's own by default. */
  STASHLIGHT_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone such as UTC or Europe/Berlin")
    .default(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
  STASHLIGHT_DATA_DIR: z.string().optional(),
  STASHLIGHT_WORKER_HOST: z.string().default("127.0.0.1"),
  /** If undefined, the worker opens no port; a supervisor that watches the process needs none. */
  STASHLIGHT_WORKER_PORT: portNumber.optional(),
});

/** Parses the worker's environment; throws one sentence that names the invalid variable. */
export const parseEnv = (env: Record<string, string | undefined>): z.output<typeof schema> =>
  parseEnvironment(schema, env);

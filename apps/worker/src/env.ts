import { commonEnvironment, parseEnvironment, portNumber } from "@stashlight/contracts/process/environment";
import { isTimeZone } from "@stashlight/contracts/time/time-zone";
import { z } from "zod";

const schema = z.object({
  ...commonEnvironment,
  /** In which the weekly report is sent on Monday at 8; the machine's own without one. */
  STASHLIGHT_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone such as UTC or Europe/Berlin")
    .default(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
  STASHLIGHT_DATA_DIR: z.string().optional(),
  STASHLIGHT_WORKER_HOST: z.string().default("127.0.0.1"),
  /** Without it the worker answers nobody; a supervisor that watches the process needs no more. */
  STASHLIGHT_WORKER_PORT: portNumber.optional(),
});

/** The worker's environment, or one sentence that names the variable that is wrong. */
export const parseEnv = (env: Record<string, string | undefined>): z.output<typeof schema> =>
  parseEnvironment(schema, env);

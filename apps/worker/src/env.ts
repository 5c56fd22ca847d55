import { commonEnvironment, parseEnvironment, portNumber } from "@stashlight/contracts/process/environment";
import { z } from "zod";

const schema = z.object({
  ...commonEnvironment,
  STASHLIGHT_DATA_DIR: z.string().optional(),
  STASHLIGHT_WORKER_HOST: z.string().default("127.0.0.1"),
  /** Without it the worker answers nobody; a supervisor that watches the process needs no more. */
  STASHLIGHT_WORKER_PORT: portNumber.optional(),
});

/** The worker's environment, or one sentence that names the variable that is wrong. */
export const parseEnv = (env: Record<string, string | undefined>): z.output<typeof schema> =>
  parseEnvironment(schema, env);

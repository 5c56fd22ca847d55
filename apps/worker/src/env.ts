import { commonEnvironment, parseEnvironment } from "@stashlight/contracts/process/environment";
import { z } from "zod";

const schema = z.object({ ...commonEnvironment, STASHLIGHT_DATA_DIR: z.string().optional() });

/** The worker's environment, or one sentence that names the variable that is wrong. */
export const parseEnv = (env: Record<string, string | undefined>): z.output<typeof schema> =>
  parseEnvironment(schema, env);

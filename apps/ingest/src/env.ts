import { commonEnvironment, parseEnvironment, portNumber } from "@stashlight/contracts/environment";
import { trustedProxies } from "@stashlight/services/client-address";
import { z } from "zod";

const schema = z.object({
  ...commonEnvironment,
  STASHLIGHT_INGEST_HOST: z.string().default("127.0.0.1"),
  STASHLIGHT_INGEST_PORT: portNumber.default(4685),
  STASHLIGHT_TRUSTED_PROXIES: trustedProxies,
});

/** Parses the ingest's environment; throws one sentence that names the invalid variable. */
export const parseEnv = (env: Record<string, string | undefined>): z.output<typeof schema> =>
  parseEnvironment(schema, env);

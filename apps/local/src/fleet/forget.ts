/** A short-lived process that removes the simulated nodes with all their measurements, and reports their number. */
import { setTimeout as delay } from "node:timers/promises";
import { StashlightError } from "@stashlight/contracts/errors";
import { reportFailed } from "@stashlight/contracts/process";
import { forgetSimulatedNodes } from "@stashlight/services/node";
import { removeKeys } from "./keys.ts";

export interface FleetForgotten {
  type: "fleet forgotten";
  nodeCount: number;
}

interface Environment {
  DATABASE_URL: string;
  STASHLIGHT_SECRET: string;
  STASHLIGHT_PUBLIC_URL: string;
  STASHLIGHT_DATA_DIR: string;
}

try {
  const env = process.env as unknown as Environment;
  const access = {
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
  };
  const nodeCount = await forgetSimulatedNodes(access, delay, console.log);
  removeKeys(env.STASHLIGHT_DATA_DIR);
  const forgotten: FleetForgotten = { type: "fleet forgotten", nodeCount };
  process.send?.(forgotten, () => process.exit());
} catch (error) {
  console.error(error);
  const { message } = error as Error;
  reportFailed(
    error instanceof StashlightError ? message : `The simulated nodes could not be removed: ${message}`,
  );
}

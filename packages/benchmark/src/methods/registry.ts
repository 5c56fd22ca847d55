/** All methods; a method missing here cannot be run. */
import { StashlightError } from "@stashlight/contracts/errors";
import type { z } from "zod";
import { backup } from "./backup/backup.ts";
import { diskSweep } from "./disk/disk-sweep.ts";
import { precondition } from "./disk/precondition.ts";
import { stashLoad } from "./disk/stash-load.ts";
import { volumeCheck } from "./disk/volume-check.ts";
import type { DriveMethod, Method, MethodPlan, StoreMethod } from "./method.ts";
import { objectSweep } from "./object-sweep.ts";
import { performanceStats } from "./performance-stats.ts";
import { pings } from "./pings.ts";
import { restore } from "./restore.ts";
import { sdkUploads } from "./sdk-uploads.ts";
import { smallUploads } from "./small-uploads.ts";

export const methods: readonly Method[] = [
  smallUploads,
  objectSweep,
  restore,
  performanceStats,
  backup,
  pings,
  sdkUploads,
  diskSweep,
  volumeCheck,
  stashLoad,
  precondition,
].map((method) => method as unknown as Method);

export interface MethodChoice {
  readonly name: string;
  /** Missing parameters have the method's defaults. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Reads a stored choice, which may be older than some of its method's parameters. */
export function storedChoice({ name, parameters }: MethodChoice): MethodChoice {
  const earlier = methods.find((each) => each.name === name)?.earlierParameters;
  return { name, parameters: { ...earlier, ...parameters } };
}

/** Method with parameters that it accepts, defaults filled in. */
export interface ChosenMethod<M extends Method = Method> {
  readonly method: M;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly plan: MethodPlan;
}

/** Throws a StashlightError that names the wrong method or parameter. */
export function chooseMethod({ name, parameters }: MethodChoice): ChosenMethod {
  const method = methods.find((each) => each.name === name);
  if (method === undefined) {
    const names = methods.map((each) => each.name).join(", ");
    throw new StashlightError("invalid_input", `There is no method "${name}"; choose from: ${names}.`);
  }
  const parsed = method.parameters.safeParse(parameters);
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue;
    const where = issue.path.length === 0 ? "The parameters" : `The parameter "${issue.path.join(".")}"`;
    throw new StashlightError("invalid_input", `${where} of the method "${name}": ${issue.message}`, {
      field: ["parameters", ...issue.path].join("."),
    });
  }
  const complete = parsed.data as Record<string, unknown>;
  return { method, parameters: complete, plan: method.plan(complete) };
}

/** Throws a StashlightError as chooseMethod does, and if the method measures drives. */
export function chooseStoreMethod(choice: MethodChoice): ChosenMethod<StoreMethod> {
  const { method, ...rest } = chooseMethod(choice);
  if (method.measures === "stores") return { method, ...rest };
  throw new StashlightError(
    "invalid_input",
    `The method "${method.name}" measures drives, but this is an object store; measure a drive with it, or choose another method.`,
  );
}

/** Throws a StashlightError as chooseMethod does, and if the method measures stores. */
export function chooseDriveMethod(choice: MethodChoice): ChosenMethod<DriveMethod> {
  const { method, ...rest } = chooseMethod(choice);
  if (method.measures === "drives") return { method, ...rest };
  throw new StashlightError(
    "invalid_input",
    `The method "${method.name}" measures object stores, but this is a drive; choose disk-sweep, volume-check, stash-load or precondition.`,
  );
}

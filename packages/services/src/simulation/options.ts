/** Converts a requested scenario into one that can be run: its drives exist, and it ends within minutes. */
import { StashlightError } from "@stashlight/contracts/errors";
import type { Scenario } from "@stashlight/contracts/planner";
import { customDevice, DeviceFigureError, type DeviceFigures, driveCatalogue } from "@stashlight/devices";
import { estimateEventCount, type ScenarioDrive, type ScenarioOptions } from "@stashlight/timing-simulation";

/** About five minutes of one core. */
const EVENT_COUNT_MAX = 60_000_000;

/** Throws a StashlightError with the message for the invalid field. */
export function toScenarioOptions(scenario: Scenario): ScenarioOptions {
  const options = {
    ...scenario,
    stashDrive: resolveDrive(scenario.stashDrive, "stashDrive", "ssd"),
    podDrive: resolveDrive(scenario.podDrive, "podDrive", "hdd"),
  };
  const eventCount = estimateEventCount(options);
  if (eventCount > EVENT_COUNT_MAX) {
    const millions = (count: number) => Math.round(count / 1e6).toLocaleString("en");
    throw new StashlightError(
      "invalid_input",
      `This would take about ${millions(eventCount)} million protocol events, and at most ${millions(EVENT_COUNT_MAX)} million are run; request fewer uploads per second, a shorter time or fewer faults.`,
      { field: "arrivals" },
    );
  }
  return options;
}

function resolveDrive(drive: Scenario["stashDrive"], field: string, kind: "ssd" | "hdd"): ScenarioDrive {
  if (drive.type === "measured") return drive;
  if (drive.type === "catalogue") {
    const found = driveCatalogue.find(({ id }) => id === drive.driveId);
    if (found !== undefined && found.kind === kind) return { type: "catalogue", driveId: found.id };
    const fitting = driveCatalogue.filter((one) => one.kind === kind).map(({ id }) => id);
    const sentence = `The catalogue has no ${kind.toUpperCase()} "${drive.driveId}"; it has ${fitting.join(", ")}.`;
    throw new StashlightError("invalid_input", sentence, { field });
  }
  const figures = withoutAbsent(drive.figures);
  try {
    customDevice(figures);
  } catch (error) {
    if (error instanceof DeviceFigureError)
      throw new StashlightError("invalid_input", error.message, { field });
    throw error;
  }
  return { type: "custom", figures };
}

function withoutAbsent({
  readIops,
  writeIops,
  ...figures
}: Extract<Scenario["stashDrive"], { type: "custom" }>["figures"]): DeviceFigures {
  return {
    ...figures,
    ...(readIops === undefined ? {} : { readIops }),
    ...(writeIops === undefined ? {} : { writeIops }),
  };
}

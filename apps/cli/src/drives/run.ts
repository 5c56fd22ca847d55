/** `drives ...`: failure rates of drive models, and marks of the fleet's own drives. */
import { basename } from "node:path";
import { askConsole, type ConsoleAccess, consoleIn, requireConsole } from "../console-api.ts";
import type { Screen } from "../screen.ts";
import { counted, formatSize } from "../units.ts";
import type { DrivesCommand } from "./arguments.ts";
import { listStatsFiles, type StatsFile } from "./files.ts";
import { readStats } from "./read-stats.ts";
import {
  type ListedDrive,
  type ListedModel,
  renderCounts,
  renderDrives,
  renderModels,
  renderSlowDrives,
  type SlowDrive,
} from "./render.ts";
import { DriveStatsTotals } from "./totals.ts";

interface DrivesSurroundings {
  readonly screen: Screen;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Resolves to the exit code. */
export async function runDrives(
  command: DrivesCommand,
  { screen, environment }: DrivesSurroundings,
): Promise<number> {
  const access = consoleIn(environment);
  if (command.name === "drives-import") await importStats(command, access, screen);
  else if (command.name === "drives-mark") await mark(command, requireConsole(access), screen);
  else await list(command, requireConsole(access), screen);
  return 0;
}

async function importStats(
  { paths, isJson }: Extract<DrivesCommand, { name: "drives-import" }>,
  access: ConsoleAccess | null,
  screen: Screen,
): Promise<void> {
  const totals = await readAll(listStatsFiles(paths), screen);
  const quarters = totals.listQuarters();
  if (isJson) screen.say(JSON.stringify({ quarters }, null, 2));
  else for (const line of renderCounts(quarters)) screen.say(line);
  const say = isJson ? () => {} : screen.say;
  for (const line of describeLeftOut(totals)) say(line);
  if (access === null) {
    say(
      "Nothing was stored. Set STASHLIGHT_URL and STASHLIGHT_TOKEN (Settings > API tokens, right drives:write) to store it in the console.",
    );
    return;
  }
  const source = paths.map((path) => basename(path)).join(", ");
  await askConsole(access, {
    method: "POST",
    path: "/drive-stats",
    body: { source: source.length > 200 ? `${source.slice(0, 199)}…` : source, quarters },
  });
  say(
    `Stored ${quarters.map(({ quarter, dayCount }) => `${quarter} (${counted(dayCount, "day")})`).join(", ")}.`,
  );
}

async function readAll(files: readonly StatsFile[], screen: Screen): Promise<DriveStatsTotals> {
  const totals = new DriveStatsTotals();
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let readBytes = 0;
  for (const file of files) {
    await readStats(file, totals, (bytes) => {
      readBytes += bytes;
      screen.draw(`${basename(file.path)}: ${formatSize(readBytes)} of ${formatSize(allBytes)}`);
    });
  }
  screen.draw("");
  return totals;
}

const SHORT_DAYS_SHOWN = 3;

function describeLeftOut(totals: DriveStatsTotals): string[] {
  const { repeatedRowCount, unknownModelRowCount } = totals.leftOut;
  const short = totals.listShortDays();
  const shown = short.slice(0, SHORT_DAYS_SHOWN).map(({ day, driveCount }) => `${day} (${driveCount})`);
  const more = short.length > shown.length ? ` and ${short.length - shown.length} more` : "";
  return [
    ...(repeatedRowCount === 0
      ? []
      : [
          `Left out ${counted(repeatedRowCount, "row")} that ${repeatedRowCount === 1 ? "repeats" : "repeat"} a serial number of the same day.`,
        ]),
    ...(unknownModelRowCount === 0
      ? []
      : [`Left out ${counted(unknownModelRowCount, "row")} of drives whose model is unknown.`]),
    ...(short.length === 0
      ? []
      : [
          `Days with less than half of the usual ${short[0]?.usualCount.toLocaleString("en")} drives: ${shown.join(", ")}${more}. Their files may be truncated.`,
        ]),
  ];
}

async function mark(
  { drive, state }: Extract<DrivesCommand, { name: "drives-mark" }>,
  access: ConsoleAccess,
  screen: Screen,
): Promise<void> {
  await askConsole(access, { method: "POST", path: "/drives/marks", body: { drive, state } });
  screen.say(
    state === "in-use"
      ? `${drive} is in use; it does not count as a failure.`
      : `${drive} is marked as ${state}${state === "failed" ? ", which counts as a failure of its model" : ""}.`,
  );
}

async function list(
  { isJson }: Extract<DrivesCommand, { name: "drives-list" }>,
  access: ConsoleAccess,
  screen: Screen,
): Promise<void> {
  const answer = (await askConsole(access, { method: "GET", path: "/drives" })) as {
    readonly drives: readonly ListedDrive[];
    readonly models: readonly ListedModel[];
    /** Consoles of earlier versions do not send it. */
    readonly slowDrives?: readonly SlowDrive[];
  };
  if (isJson) {
    screen.say(JSON.stringify(answer, null, 2));
    return;
  }
  const slow = answer.slowDrives ?? [];
  const parts = [renderDrives(answer.drives, slow), renderSlowDrives(slow), renderModels(answer.models)];
  for (const [at, lines] of parts.filter(({ length }) => length > 0).entries()) {
    if (at > 0) screen.say("");
    for (const line of lines) screen.say(line);
  }
}

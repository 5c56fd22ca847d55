/** Fleet measurements for the form's fields. */
import type { Live, LiveInputs, LiveMix, LiveSource } from "@stashlight/contracts/planner";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { formatFigure, formatPlanBytes } from "@stashlight/planner";
import { type Draft, findField, shownAs, withTexts } from "./draft.ts";

/** A field's value as the form would show it, or the reason that there is none. */
export type LiveOffer =
  | { readonly kind: "figure"; readonly text: string; readonly stored: number; readonly source: LiveSource }
  | { readonly kind: "missing"; readonly missing: string };

export type LiveOffers = Readonly<Partial<Record<string, LiveOffer>>>;

type FigureField = {
  [Field in keyof LiveInputs]: LiveInputs[Field] extends { figure: { value: number } | null } ? Field : never;
}[keyof LiveInputs];

const figureFields: readonly (readonly [path: string, field: FigureField])[] = [
  ["uploadsPerSecond", "uploadsPerSecond"],
  ["peakFactor", "peakFactor"],
  ["growthPerYear", "growthPerYear"],
  ["residenceSecondsMean", "residenceSecondsMean"],
  ["residenceSecondsP99", "residenceSecondsP99"],
  ["shardsPerCommit", "shardsPerCommit"],
  ["logWriteAmplification", "logWriteAmplification"],
  ["drive.fsyncPerSecond", "fsyncPerSecond"],
  ["installed.driveFsyncPerSecond", "fsyncPerSecond"],
];

/** Figures of the installed drives. They are filled in only on request, because a plan is about drives to buy. */
const OF_DRIVE_TO_BUY: ReadonlySet<string> = new Set(["drive.capacityBytes", "drive.fsyncPerSecond"]);

/** Keeps three digits: more would make a measurement look as certain as a datasheet. */
const rounded = (value: number): number => Number(value.toPrecision(3));

/** Keeps `stored` unrounded, because a count of drives or bytes is exact. */
function offer(path: string, stored: number, source: LiveSource): LiveOffer {
  const field = findField(path);
  return { kind: "figure", stored, source, text: shownAs(field ?? { factor: 1 }, stored) };
}

/**
 * Offers by field path. A pool fills several fields; its range is that of the drives per server,
 * and is left out.
 */
export function liveOffers(live: LiveInputs): LiveOffers {
  const offers: Record<string, LiveOffer> = {};
  for (const [path, name] of figureFields) {
    const { figure, missing } = live[name];
    offers[path] =
      figure === null ? { kind: "missing", missing } : offer(path, rounded(figure.value), figure);
  }
  const { scheme, installed, objects } = live;
  for (const [path, leaf] of [
    ["dataShards", "dataShards"],
    ["parityShards", "parityShards"],
  ] as const) {
    offers[path] =
      scheme.figure === null
        ? { kind: "missing", missing: scheme.missing }
        : offer(path, scheme.figure[leaf], scheme.figure);
  }
  for (const leaf of ["servers", "drivesPerServer"] as const) {
    offers[`installed.${leaf}`] =
      installed.figure === null
        ? { kind: "missing", missing: installed.missing }
        : offer(`installed.${leaf}`, installed.figure[leaf], { ...installed.figure, range: null });
  }
  if (installed.figure !== null) {
    const source = { ...installed.figure, range: null };
    for (const path of ["drive.capacityBytes", "installed.driveCapacityBytes"]) {
      offers[path] = offer(path, installed.figure.driveCapacityBytes, source);
    }
  }
  if (objects.figure === null) offers.objects = { kind: "missing", missing: objects.missing };
  return offers;
}

/**
 * Ends the range with the current minute, so that the first uploads of an installation are counted although no minute is
 * complete. A range in whole minutes keeps one-minute points over a day.
 */
export const fleetEndMs = (nowMs: number): number => Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS;

/** "83.7 MB" of a field in TB, whose own figure would be 0.00008372224; other quantities in the field's unit. */
export function formatOffer({ text, stored }: Extract<LiveOffer, { kind: "figure" }>, unit: string): string {
  const [isBytes, perSecond = ""] = /^[kMGT]?B(\/s)?$/.exec(unit) ?? [];
  return isBytes === undefined ? `${text} ${unit}`.trim() : `${formatPlanBytes(stored)}${perSecond}`;
}

/** Fills in every field that has a value from the fleet; leaves the drive to buy unchanged. */
export function fillFromFleet(draft: Draft, live: LiveInputs): { draft: Draft; paths: readonly string[] } {
  const known = Object.entries(liveOffers(live)).flatMap(([path, found]) =>
    found?.kind === "figure" && !OF_DRIVE_TO_BUY.has(path) ? [[path, found.text] as const] : [],
  );
  const filled = withTexts(draft, Object.fromEntries(known));
  const paths = known.map(([path]) => path);
  const mix = live.objects.figure;
  return {
    draft: {
      ...filled,
      hasInstalled: draft.hasInstalled || live.installed.figure !== null,
      ...(mix === null ? {} : { objects: toDraftObjects(mix) }),
    },
    paths: mix === null ? paths : [...paths, "objects"],
  };
}

export const toDraftObjects = ({ classes }: LiveMix): Draft["objects"] =>
  classes.map(({ bytes, share }, key) => ({
    key,
    bytes: shownAs(findField("objects.bytes") ?? { factor: 1 }, rounded(bytes)),
    share: shownAs({ factor: 1 }, rounded(share * 100)),
  }));

/** Returns the figures with their ages at this time after the answer. */
export function agedBy(live: LiveInputs, seconds: number): LiveInputs {
  const aged = <Figure extends Pick<LiveSource, "ageSeconds">>(found: Live<Figure>): Live<Figure> => {
    const { figure } = found;
    if (figure === null || figure.ageSeconds === null) return found;
    return { figure: { ...figure, ageSeconds: figure.ageSeconds + seconds }, missing: null };
  };
  return {
    ...live,
    uploadsPerSecond: aged(live.uploadsPerSecond),
    peakFactor: aged(live.peakFactor),
    growthPerYear: aged(live.growthPerYear),
    objects: aged(live.objects),
    residenceSecondsMean: aged(live.residenceSecondsMean),
    residenceSecondsP99: aged(live.residenceSecondsP99),
    fsyncPerSecond: aged(live.fsyncPerSecond),
    shardsPerCommit: aged(live.shardsPerCommit),
    logWriteAmplification: aged(live.logWriteAmplification),
    scheme: aged(live.scheme),
    installed: aged(live.installed),
    addVault: aged(live.addVault),
  };
}

/** "n 13,200 uploads · 8 s ago · 10 to 30 over minutes · modelled" */
export function formatSource(source: LiveSource, unit: { factor: number; unit: string }): string {
  const { n, nUnit, ageSeconds, range, basis } = source;
  const formatScaled = (value: number): string => formatFigure(value / unit.factor);
  const parts = [
    `n ${formatFigure(n)} ${nUnit}`,
    ageSeconds === null ? null : formatSourceAge(ageSeconds),
    range === null
      ? null
      : `${formatScaled(range.low)} to ${formatScaled(range.high)} ${unit.unit} over ${range.over}`,
    basis === "measured" ? null : basis,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** Source of each field whose value comes from the fleet. */
export function fleetSources(
  fromFleet: ReadonlySet<string>,
  live: LiveInputs,
): Readonly<Record<string, string>> {
  const offers = liveOffers(live);
  const told = [...fromFleet].flatMap((path) => {
    const found = offers[path];
    if (found?.kind !== "figure") return [];
    return [[path, formatSource(found.source, findField(path) ?? { factor: 1, unit: "" })] as const];
  });
  const mix = fromFleet.has("objects") ? live.objects.figure : null;
  return {
    ...Object.fromEntries(told),
    ...(mix === null ? {} : { objects: formatSource(mix, { factor: 1, unit: "" }) }),
  };
}

export function formatSourceAge(seconds: number): string {
  if (seconds < 120) return `${Math.floor(seconds)} s ago`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3600)} h ago`;
}

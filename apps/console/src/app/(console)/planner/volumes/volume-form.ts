/** Fields of the volume models page, all kept as text in the page's address, and the question that they form. */
import {
  checkStep,
  checkVolume,
  type Demand,
  type DemandStep,
  type EbsMoment,
  type EbsType,
  type EbsVolume,
  ebsLimits,
  ebsTypes,
  parseTrace,
  type VolumeField,
} from "@stashlight/devices/ebs";
import { area, choice, fieldTable, held, number, readNumber, type Typed } from "@stashlight/ui/fields";

export interface LimitsChoice {
  readonly value: string;
  readonly label: string;
  readonly moment: EbsMoment;
}

const allMonths = [
  ...new Set(Object.values(ebsLimits).flatMap((periods) => periods.map(({ validFrom }) => validFrom))),
].sort();
/** Earliest month offered; the first article about these volumes is from that year. */
const EARLIEST = "2018-06";

const monthNames = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
export const formatMonth = (month: string): string => monthNames.format(new Date(`${month}-01T00:00:00Z`));

/** Months in which a limit changed, newest first, and 2018 as the articles describe it. */
export const limitsChoices: readonly LimitsChoice[] = [
  {
    value: "newest",
    label: `Newest known (${formatMonth(allMonths.at(-1) ?? EARLIEST)})`,
    moment: { month: allMonths.at(-1) ?? EARLIEST, ignoresFloor: false },
  },
  ...allMonths
    .filter((month) => month > EARLIEST)
    .slice(0, -1)
    .reverse()
    .map((month) => ({
      value: month,
      label: formatMonth(month),
      moment: { month, ignoresFloor: false },
    })),
  { value: EARLIEST, label: formatMonth(EARLIEST), moment: { month: EARLIEST, ignoresFloor: false } },
  {
    value: "articles",
    label: "2018, without gp2's floor of 100 IOPS",
    moment: { month: EARLIEST, ignoresFloor: true },
  },
];

const demands = [
  { value: "constant", label: "Constant" },
  { value: "csv", label: "Trace, pasted as CSV" },
  { value: "measured", label: "As measured in the fleet" },
] as const;
const patterns = [
  { value: "random", label: "Random", hint: "Each I/O counts as at least one" },
  { value: "sequential", label: "Sequential", hint: "Small I/Os are merged" },
] as const;
const unservedChoices = [
  { value: "queue", label: "Waits its turn" },
  { value: "drop", label: "Is dropped" },
] as const;

/** A number with bounds from the volume models; thousands may be separated by commas. */
const figure = (label: string, unit: string | undefined, initial: string) =>
  number(label, { unit, initial, comma: "thousands" });

/** Each field is a parameter of the page's address. */
export const volumeFields = fieldTable({
  demand: choice("Demand", demands, { initial: "constant" }),
  iops: figure("I/Os per second", undefined, "3000"),
  minutes: figure("Duration", "minutes", "120"),
  csv: area("Trace", { initial: "600, 3000\n3000, 200\n600, 3000", mono: true, rows: 8, spellCheck: false }),
  kib: figure("I/O size", "KiB", "4"),
  reads: figure("Reads", "%", "80"),
  pattern: choice("Pattern", patterns, { initial: "random" }),
  unserved: choice("Demand beyond the limit", unservedChoices, { initial: "queue" }),
  data: figure("Data that must fit", "GiB", "8"),
  limits: choice<string>("Limits and prices", limitsChoices, {
    initial: "newest",
    help: "Prices of us-east-1, before taxes, without snapshots.",
  }),
  /** List of volumes, `type:GiB:IOPS:MiB/s`, separated by spaces. */
  volumes: held("gp2:8 gp3:8:3000:125"),
});
export type VolumeForm = Readonly<Typed<typeof volumeFields.specs>>;

export const emptyForm: VolumeForm = volumeFields.initial;

export const VOLUMES_MAX = 4;

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** One choice of volume, as typed. */
export interface TypedVolume {
  readonly type: EbsType;
  readonly sizeGiB: string;
  readonly iops: string;
  readonly throughputMiBps: string;
}

export const takesIops = (type: EbsType): boolean => ebsLimits[type][0]?.model === "provisioned";
export const takesThroughput = (type: EbsType): boolean => type === "gp3";

/** Initial volume of a type. */
export function usualVolume(type: EbsType): TypedVolume {
  const isHdd = type === "st1" || type === "sc1";
  return {
    type,
    sizeGiB: isHdd ? "500" : "100",
    iops: takesIops(type) ? "3000" : "",
    throughputMiBps: takesThroughput(type) ? "125" : "",
  };
}

export function readVolumes(text: string): TypedVolume[] {
  return text
    .split(" ")
    .filter((part) => part !== "")
    .slice(0, VOLUMES_MAX)
    .map((part) => {
      const [name = "", sizeGiB = "", iops = "", throughputMiBps = ""] = part.split(":");
      const type = ebsTypes.find((each) => each === name) ?? "gp2";
      return { type, sizeGiB, iops, throughputMiBps };
    });
}

/** Removes the separators of volumes and their fields from a number. */
const cleaned = (text: string): string => text.replace(/[\s:]/g, "");

export function writeVolumes(volumes: readonly TypedVolume[]): string {
  return volumes
    .map(({ type, sizeGiB, iops, throughputMiBps }) =>
      [type, cleaned(sizeGiB), takesIops(type) ? cleaned(iops) : "", cleaned(throughputMiBps)]
        .slice(0, takesThroughput(type) ? 4 : takesIops(type) ? 3 : 2)
        .join(":"),
    )
    .join(" ");
}

const typedNumber = (typed: string): number => readNumber(typed, { comma: "thousands" }).value;

const checkedFields: readonly VolumeField[] = ["sizeGiB", "iops", "throughputMiBps", "type"];

/** The volume, or its errors by form field: "0.sizeGiB". */
function toVolume(typed: TypedVolume, at: EbsMoment): { volume: EbsVolume } | { problems: FieldProblem[] } {
  const { type } = typed;
  const volume: EbsVolume = {
    type,
    sizeGiB: typedNumber(typed.sizeGiB),
    iops: takesIops(type) ? typedNumber(typed.iops) : null,
    throughputMiBps: takesThroughput(type) ? typedNumber(typed.throughputMiBps) : null,
  };
  const { problems } = checkVolume(volume, at);
  if (problems.length === 0) return { volume };
  return {
    problems: checkedFields.flatMap((field) => problems.find((problem) => problem.field === field) ?? []),
  };
}

const newest = limitsChoices[0] as LimitsChoice;

export const limitsMoment = (form: Pick<VolumeForm, "limits">): EbsMoment =>
  (limitsChoices.find(({ value }) => value === form.limits) ?? newest).moment;

export interface ReadDemand {
  readonly demand: Demand | null;
  readonly problems: readonly FieldProblem[];
}

/** `measured` is null until there is a measurement. */
function toDemand(form: VolumeForm, measured: readonly DemandStep[] | null): ReadDemand {
  const { pattern } = form;
  if (form.demand === "measured") {
    const isThere = measured !== null && measured.length > 0;
    return { demand: isThere ? { steps: measured, pattern } : null, problems: [] };
  }
  const { minutes, iops, kib, reads } = volumeFields.read(form).values;
  const step: DemandStep = { seconds: minutes * 60, iops, kib, readShare: reads / 100 };
  const problems = checkStep(step).map(({ field, message }) => ({ field: fieldNames[field], message }));
  if (form.demand === "constant") {
    return { demand: problems.length === 0 ? { steps: [step], pattern } : null, problems };
  }
  const others = problems.filter(({ field }) => field === "kib" || field === "reads");
  const fallback = others.length === 0 ? step : { kib: 4, readShare: 0.5 };
  const trace = parseTrace(form.csv, fallback);
  const all = [
    ...others,
    ...trace.problems.map(({ line, message }) => ({ field: "csv", message: `Line ${line}: ${message}` })),
  ];
  return { demand: all.length === 0 ? { steps: trace.steps, pattern } : null, problems: all };
}

const fieldNames = { seconds: "minutes", iops: "iops", kib: "kib", readShare: "reads" } as const;

export interface ReadForm {
  readonly demand: Demand | null;
  readonly volumes: readonly (EbsVolume | null)[];
  readonly sizeGiBMin: number | null;
  readonly at: EbsMoment;
  readonly problems: readonly FieldProblem[];
}

export function readForm(form: VolumeForm, measured: readonly DemandStep[] | null): ReadForm {
  const at = limitsMoment(form);
  const { demand, problems } = toDemand(form, measured);
  const read = readVolumes(form.volumes).map((typed) => toVolume(typed, at));
  const { data } = volumeFields.read(form).values;
  const isData = Number.isInteger(data) && data >= 1 && data <= 65_536;
  return {
    demand,
    at,
    volumes: read.map((each) => ("volume" in each ? each.volume : null)),
    sizeGiBMin: isData ? data : null,
    problems: [
      ...problems,
      ...(isData
        ? []
        : [{ field: "data", message: "The data must be a whole number from 1 to 65,536 GiB." }]),
      ...read.flatMap((each, index) =>
        "volume" in each
          ? []
          : each.problems.map(({ field, message }) => ({ field: `${index}.${field}`, message })),
      ),
    ],
  };
}

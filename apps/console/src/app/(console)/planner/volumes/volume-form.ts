/** What the page of volume models is asked, as typed, and what comes of it. All of it is text in the page's address. */
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

export const demandKinds = ["constant", "csv", "measured"] as const;
export type DemandKind = (typeof demandKinds)[number];

/** As it stands in the address; each key is a parameter of it. */
export interface VolumeForm {
  readonly demand: DemandKind;
  readonly iops: string;
  readonly kib: string;
  readonly reads: string;
  readonly minutes: string;
  readonly csv: string;
  readonly pattern: "random" | "sequential";
  readonly unserved: "queue" | "drop";
  readonly limits: string;
  /** GiB that must fit on the volume. */
  readonly data: string;
  /** One volume after the other, `type:GiB:IOPS:MiB/s`, separated by spaces. */
  readonly volumes: string;
}

export const emptyForm: VolumeForm = {
  demand: "constant",
  iops: "3000",
  kib: "4",
  reads: "80",
  minutes: "120",
  csv: "600, 3000\n3000, 200\n600, 3000",
  pattern: "random",
  unserved: "queue",
  limits: "newest",
  data: "8",
  volumes: "gp2:8 gp3:8:3000:125",
};

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

/** A volume of a type that is there to begin with. */
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

/** What separates volumes and their figures cannot stand within a figure. */
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

/** Thousands may be told apart by commas; nothing typed is no number. */
function numberOf(text: string): number {
  const plain = text.trim().replaceAll(",", "");
  return plain === "" ? Number.NaN : Number(plain);
}

const volumeFields: readonly VolumeField[] = ["sizeGiB", "iops", "throughputMiBps", "type"];

/** The volume, or what is wrong with it, by the field as the form names it: "0.sizeGiB". */
export function volumeOf(
  typed: TypedVolume,
  at: EbsMoment,
): { volume: EbsVolume } | { problems: FieldProblem[] } {
  const { type } = typed;
  const volume: EbsVolume = {
    type,
    sizeGiB: numberOf(typed.sizeGiB),
    iops: takesIops(type) ? numberOf(typed.iops) : null,
    throughputMiBps: takesThroughput(type) ? numberOf(typed.throughputMiBps) : null,
  };
  const { problems } = checkVolume(volume, at);
  if (problems.length === 0) return { volume };
  return {
    problems: volumeFields.flatMap((field) => problems.find((problem) => problem.field === field) ?? []),
  };
}

export interface LimitsChoice {
  readonly value: string;
  readonly label: string;
  readonly moment: EbsMoment;
}

const allMonths = [
  ...new Set(Object.values(ebsLimits).flatMap((periods) => periods.map(({ validFrom }) => validFrom))),
].sort();
/** From here on the catalogue has all types of the time; it is the year of the first article about them. */
const EARLIEST = "2018-06";

const monthNames = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
export const sayMonth = (month: string): string => monthNames.format(new Date(`${month}-01T00:00:00Z`));

/** The months in which a limit changed, the newest first, and 2018 as the articles reckon it. */
export const limitsChoices: readonly LimitsChoice[] = [
  {
    value: "newest",
    label: `Newest known, of ${sayMonth(allMonths.at(-1) ?? EARLIEST)}`,
    moment: { month: allMonths.at(-1) ?? EARLIEST, ignoresFloor: false },
  },
  ...allMonths
    .filter((month) => month > EARLIEST)
    .slice(0, -1)
    .reverse()
    .map((month) => ({
      value: month,
      label: `Of ${sayMonth(month)}`,
      moment: { month, ignoresFloor: false },
    })),
  { value: EARLIEST, label: `Of ${sayMonth(EARLIEST)}`, moment: { month: EARLIEST, ignoresFloor: false } },
  {
    value: "articles",
    label: "Of 2018, without gp2's floor of 100 IOPS",
    moment: { month: EARLIEST, ignoresFloor: true },
  },
];

const newest = limitsChoices[0] as LimitsChoice;

export const momentOf = (form: Pick<VolumeForm, "limits">): EbsMoment =>
  (limitsChoices.find(({ value }) => value === form.limits) ?? newest).moment;

export interface ReadDemand {
  readonly demand: Demand | null;
  readonly problems: readonly FieldProblem[];
}

/** What was measured comes from elsewhere; null while there is none. */
export function demandOf(form: VolumeForm, measured: readonly DemandStep[] | null): ReadDemand {
  const { pattern } = form;
  if (form.demand === "measured") {
    const isThere = measured !== null && measured.length > 0;
    return { demand: isThere ? { steps: measured, pattern } : null, problems: [] };
  }
  const step: DemandStep = {
    seconds: numberOf(form.minutes) * 60,
    iops: numberOf(form.iops),
    kib: numberOf(form.kib),
    readShare: numberOf(form.reads) / 100,
  };
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
  const at = momentOf(form);
  const { demand, problems } = demandOf(form, measured);
  const read = readVolumes(form.volumes).map((typed) => volumeOf(typed, at));
  const data = numberOf(form.data);
  const isData = Number.isInteger(data) && data >= 1 && data <= 65_536;
  return {
    demand,
    at,
    volumes: read.map((each) => ("volume" in each ? each.volume : null)),
    sizeGiBMin: isData ? data : null,
    problems: [
      ...problems,
      ...(isData ? [] : [{ field: "data", message: "Data are 1 to 65,536 GiB, a whole number." }]),
      ...read.flatMap((each, index) =>
        "volume" in each
          ? []
          : each.problems.map(({ field, message }) => ({ field: `${index}.${field}`, message })),
      ),
    ],
  };
}

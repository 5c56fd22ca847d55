/**
 * Parses what Linux reports about the machine in /proc (Documentation/filesystems/proc.rst, accounting/psi.rst).
 * Functions return null if the kernel does not report it.
 */

/** Returns the mean of the last minute: "9.61 4.20 2.11 3/812 4711". */
export function parseLoad(text: string): number | null {
  return numberOrNull(text.split(" ")[0]);
}

export interface ProcessorTimes {
  /** Clock ticks of all processors together. */
  readonly total: number;
  readonly iowait: number;
  readonly processorCount: number;
}

/** The time of guests is included in that of users, so only the first eight fields are added up. */
const TIME_FIELDS = 8;
const IOWAIT_FIELD = 4;

export function parseProcessorTimes(text: string): ProcessorTimes | null {
  const lines = text.split("\n");
  const all = lines.find((line) => line.startsWith("cpu "));
  const fields =
    all
      ?.trim()
      .split(/\s+/)
      .slice(1, TIME_FIELDS + 1)
      .map(Number) ?? [];
  if (fields.length <= IOWAIT_FIELD || !fields.every(Number.isFinite)) return null;
  return {
    total: fields.reduce((sum, each) => sum + each, 0),
    iowait: fields[IOWAIT_FIELD] ?? 0,
    processorCount: lines.filter((line) => /^cpu\d/.test(line)).length,
  };
}

/** Returns the microseconds since boot in which some process waited. */
export function parsePressure(text: string): number | null {
  return numberOrNull(/^some .*\btotal=(\d+)/m.exec(text)?.[1]);
}

export interface Memory {
  readonly capacityBytes: number;
  readonly usedBytes: number;
}

const KIBIBYTE = 1_024;

export function parseMemory(text: string): Memory | null {
  const readMemoryBytes = (name: string): number | null => {
    const kibibytes = numberOrNull(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]);
    return kibibytes === null ? null : kibibytes * KIBIBYTE;
  };
  const [capacityBytes, availableBytes] = [readMemoryBytes("MemTotal"), readMemoryBytes("MemAvailable")];
  if (capacityBytes === null || availableBytes === null) return null;
  return { capacityBytes, usedBytes: Math.max(0, capacityBytes - availableBytes) };
}

function numberOrNull(text: string | undefined): number | null {
  const value = Number(text);
  return text === undefined || text === "" || !Number.isFinite(value) ? null : value;
}

import type { DeviceFigures } from "./device-figures.ts";
import { DeviceFigureError } from "./errors.ts";
import { hddModel } from "./hdd.ts";
import type { ServiceModel } from "./service-model.ts";
import { ssdModel } from "./ssd.ts";

/** Builds a service model from given figures. Throws a `DeviceFigureError` that names the impossible figure, if any. */
export function customDevice(figures: DeviceFigures): ServiceModel {
  if (figures.name.trim() === "") {
    throw new DeviceFigureError("name", "A device has no name: give it one, so that results can show it.");
  }
  for (const figure of ABOVE_ZERO) requireFigure(figures, figure, false);
  requireFigure(figures, "flushUs", true);
  if (!Number.isInteger(figures.capacityBytes)) {
    throw refusal(figures, "capacityBytes", "give a whole number of bytes");
  }
  switch (figures.kind) {
    case "hdd":
      refuseIops(figures, "readIops");
      refuseIops(figures, "writeIops");
      return hddModel(figures);
    case "ssd": {
      const readIops = requireFigure(figures, "readIops", false);
      const writeIops = requireFigure(figures, "writeIops", false);
      return ssdModel({ ...figures, readIops, writeIops });
    }
    default:
      throw refusal(figures, "kind", 'give "hdd" or "ssd"');
  }
}

const ABOVE_ZERO = [
  "capacityBytes",
  "readBytesPerSecond",
  "writeBytesPerSecond",
  "readLatencyUs",
  "writeLatencyUs",
] as const;

function requireFigure(figures: DeviceFigures, figure: keyof DeviceFigures, mayBeZero: boolean): number {
  const value = figures[figure];
  const isGood = typeof value === "number" && Number.isFinite(value) && (mayBeZero ? value >= 0 : value > 0);
  if (!isGood) throw refusal(figures, figure, `give a number ${mayBeZero ? "of at least" : "above"} zero`);
  return value;
}

function refuseIops(figures: DeviceFigures, figure: "readIops" | "writeIops"): void {
  if (figures[figure] !== undefined) {
    throw refusal(figures, figure, "leave it out, because an HDD's follow from its latency");
  }
}

function refusal(figures: DeviceFigures, figure: keyof DeviceFigures, remedy: string): DeviceFigureError {
  const given = figures[figure] === undefined ? "missing" : String(figures[figure]);
  return new DeviceFigureError(figure, `${figure} of the device "${figures.name}" is ${given}: ${remedy}.`);
}

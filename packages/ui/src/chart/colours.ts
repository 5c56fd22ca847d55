/** Colour scales for cells. Lightness is perceptually uniform, so a scale reads the same in greyscale. */

type Lab = readonly [lightness: number, greenRed: number, blueYellow: number];

/** Interpolates between two `#rrggbb` colours through OKLab; `level` is from 0 to 1. */
export function mixColours(from: string, to: string, level: number): string {
  const [a, b] = [toLab(from), toLab(to)];
  const at = (index: 0 | 1 | 2) => a[index] + (b[index] - a[index]) * level;
  return toHex([at(0), at(1), at(2)]);
}

/** Perceived lightness of a colour, from 0 to 1. */
export const colourLightness = (hex: string): number => toLab(hex)[0];

/** Expands `#fff`, which build tools write for `#ffffff`. */
const longForm = (hex: string): string => hex.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");

function toLab(hex: string): Lab {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(longForm(hex.trim()));
  if (!match) throw new Error(`"${hex}" is not a colour: write it as #rrggbb.`);
  const [r, g, b] = match.slice(1).map((pair) => toLinear(Number.parseInt(pair, 16) / 255)) as [
    number,
    number,
    number,
  ];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([lightness, greenRed, blueYellow]: Lab): string {
  const l = (lightness + 0.3963377774 * greenRed + 0.2158037573 * blueYellow) ** 3;
  const m = (lightness - 0.1055613458 * greenRed - 0.0638541728 * blueYellow) ** 3;
  const s = (lightness - 0.0894841775 * greenRed - 1.291485548 * blueYellow) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${channels.map((channel) => toPair(fromLinear(channel))).join("")}`;
}

const toPair = (channel: number): string =>
  Math.round(Math.min(1, Math.max(0, channel)) * 255)
    .toString(16)
    .padStart(2, "0");

const toLinear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const fromLinear = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * Math.max(0, value) ** (1 / 2.4) - 0.055;

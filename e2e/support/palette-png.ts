/**
 * Reduces a browser's screenshot to 256 colours, a third of its size: a page of text and charts has few colours, and
 * replacing the shades at the edges of letters by their nearest neighbours is not visible.
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS_MAX = 256;
const RGB = 2;
const RGBA = 6;
const PALETTE = 3;

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Pixels as `0xrrggbb`, row by row. */
  readonly pixels: Uint32Array;
}

export function toPalettePng(png: Buffer): Buffer {
  const picture = read(png);
  const counts = new Map<number, number>();
  for (const pixel of picture.pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, COLOURS_MAX)
    .map(([colour]) => colour);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  return write(picture, palette, places);
}

function read(png: Buffer): Picture {
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = body;
    if (type === "IDAT") data.push(body);
    at += 12 + length;
  }
  if (header === undefined) throw new Error("This is not a PNG: it has no header.");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, kind] = [header[8], header[9]];
  if (depth !== 8 || (kind !== RGB && kind !== RGBA)) {
    throw new Error(`A screenshot has 8 bits of red, green and blue; this PNG is of kind ${kind}.`);
  }
  const bytesPerPixel = kind === RGB ? 3 : 4;
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * bytesPerPixel, height, bytesPerPixel);
  const pixels = Uint32Array.from({ length: width * height }, (_, i) =>
    bytes.readUIntBE(i * bytesPerPixel, 3),
  );
  return { width, height, pixels };
}

/** Reverses the PNG filters: each byte is stored as its difference from a prediction. */
function unfilter(raw: Buffer, stride: number, height: number, bytesPerPixel: number): Buffer {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= bytesPerPixel ? (bytes[at - bytesPerPixel] as number) : 0;
      const up = y > 0 ? (bytes[at - stride] as number) : 0;
      const corner = x >= bytesPerPixel && y > 0 ? (bytes[at - stride - bytesPerPixel] as number) : 0;
      bytes[at] = (raw[y * (stride + 1) + 1 + x] as number) + guess(filter, left, up, corner);
    }
  }
  return bytes;
}

function guess(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp] = [Math.abs(estimate - left), Math.abs(estimate - up)];
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function nearest(palette: readonly number[], colour: number): number {
  let [place, least] = [0, Number.POSITIVE_INFINITY];
  palette.forEach((each, i) => {
    const red = (each >> 16) - (colour >> 16);
    const green = ((each >> 8) & 255) - ((colour >> 8) & 255);
    const blue = (each & 255) - (colour & 255);
    const distance = red * red + green * green + blue * blue;
    if (distance >= least) return;
    place = i;
    least = distance;
  });
  return place;
}

function write(
  { width, height, pixels }: Picture,
  palette: readonly number[],
  places: ReadonlyMap<number, number>,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE], 8);
  const colours = Buffer.alloc(3 * palette.length);
  palette.forEach((colour, i) => {
    colours.writeUIntBE(colour, 3 * i, 3);
  });
  const rows = Buffer.alloc(height * (width + 1));
  pixels.forEach((pixel, i) => {
    rows[i + Math.floor(i / width) + 1] = places.get(pixel) ?? 0;
  });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(body.length, 0);
  framed.set(content, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}

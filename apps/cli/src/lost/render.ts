/** Renders lost objects as lines for a terminal. */
import { describeShortage, type LostObject, lostObjectName } from "@stashlight/contracts/lost-object";
import { type Column, renderTable } from "../table.ts";
import { counted, formatCount, formatDuration, formatSize } from "../units.ts";
import type { CollectedLost } from "./collect.ts";

const COLUMNS: readonly Column[] = [
  { title: "OBJECT" },
  { title: "SIZE", isRight: true },
  { title: "SINCE", isRight: true },
  { title: "WHY" },
];

export function renderLost({ total, objects, silences }: CollectedLost, nowMs: number): string[] {
  const lines = silences.map((silence) => `! ${silence}`);
  if (total === 0) {
    const known =
      silences.length === 0 ? "No coordinator has found" : "No coordinator that answers has found";
    lines.push(
      `${known} an object that cannot be read. A coordinator needs up to six minutes after its start to find all; vault verify reads every object.`,
    );
    return lines;
  }
  lines.push(
    ...renderTable(
      COLUMNS,
      objects.map((object) => cells(object, nowMs)),
    ),
  );
  if (total > objects.length) lines.push(`and ${formatCount(total - objects.length)} more`);
  lines.push(
    `${counted(total, "object")} cannot be read. They stay listed, and become readable again when enough drives are back. Bring drives back before anything else, and replace none that may come back.`,
  );
  return lines;
}

function cells(object: LostObject, nowMs: number): string[] {
  const seconds = Math.max(0, Math.round((nowMs - object.sinceMs) / 1000));
  return [
    printable(lostObjectName(object)),
    formatSize(object.sizeBytes),
    formatDuration(seconds),
    describeShortage(object),
  ];
}

/** Escapes keys, which may hold terminal control sequences. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    return `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;
  });
}

/** The allowed imports as a picture and a table for docs/architecture.md, which are written by `pnpm docs:imports`. */
import type { BoundaryRules } from "../boundaries/rules.ts";

const BEGIN = "<!-- The imports, written by pnpm docs:imports -->";
const END = "<!-- End of the imports -->";

const HEAD = ["Folder", "May import", "Its tests besides"];

/** The document with the allowed imports between its two marks. */
export function withImports(document: string, rules: BoundaryRules): string {
  const [head, rest] = document.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) {
    throw new Error(`The document has no place for the imports, between "${BEGIN}" and "${END}".`);
  }
  return `${head}${BEGIN}\n\n${drawPicture(rules)}\n\n${importTable(rules)}\n\n${END}${tail}`;
}

/** The units that are drawn: those that are part of the product and whose imports are listed. */
function drawnUnits({ units }: BoundaryRules): Map<string, readonly string[]> {
  const isDrawn = /^(?:apps|agents|packages)\//;
  return new Map(
    units.flatMap(({ unit, mayImport }) =>
      isDrawn.test(unit) && mayImport !== "any package"
        ? [[unit, [...new Set(mayImport.map(packagePath))]] as const]
        : [],
    ),
  );
}

/** Agents share one node of the picture. */
const packagePath = (name: string): string => (name.startsWith("agents/") ? "agents/*" : `packages/${name}`);

function drawPicture(rules: BoundaryRules): string {
  const drawn = drawnUnits(rules);
  const arrows = [...drawn].flatMap(([unit, targets]) =>
    targets
      .filter((target) => !targets.some((other) => other !== target && reaches(drawn, other, target)))
      .map((target) => `  ${mermaidId(unit)} --> ${mermaidId(target)}`),
  );
  const nodes = [...drawn.keys()].map((unit) => `  ${mermaidId(unit)}["${unit.replace(/^packages\//, "")}"]`);
  return ["```mermaid", "flowchart TD", ...nodes, ...arrows, "```"].join("\n");
}

/** True if `from` may import `to`, through any number of others. */
function reaches(drawn: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  return (drawn.get(from) ?? []).some((next) => next === to || reaches(drawn, next, to));
}

const mermaidId = (unit: string): string => unit.replace(/^packages\//, "").replaceAll(/[^a-z0-9]/g, "_");

function importTable({ units }: BoundaryRules): string {
  const rows = units
    .filter(({ unit }) => unit !== ".")
    .map(({ unit, mayImport, testsMayImport = [] }) => [
      `\`${unit}\``,
      mayImport === "any package" ? "any package" : mayImport.join(", ") || "nothing of ours",
      testsMayImport.join(", "),
    ]);
  const widths = HEAD.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? "").length)));
  const formatRow = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [formatRow(HEAD), formatRow(widths.map((width) => "-".repeat(width))), ...rows.map(formatRow)].join(
    "\n",
  );
}

import { parseSync } from "oxc-parser";
import { lineFinder } from "../run/line-finder.ts";

/** One name that a file exports: its own, or one that it re-exports from another module. */
export interface ExportedName {
  readonly name: string;
  readonly line: number;
  readonly isType: boolean;
  /** Null for a name that the file declares itself. */
  readonly from: { readonly specifier: string; readonly name: string } | null;
}

/** One name that a file takes from another module; `*` stands for all of them. */
export interface TakenName {
  readonly specifier: string;
  readonly name: string;
}

export interface NameFacts {
  readonly exported: readonly ExportedName[];
  /** Modules whose names are all re-exported. */
  readonly passedOn: readonly { readonly specifier: string; readonly isType: boolean }[];
  readonly taken: readonly TakenName[];
}

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Default exports are left out: only tools and frameworks ask for them, by the file's name. */
export function readNames(path: string, source: string): NameFacts {
  const program = parseSync(path, source, { sourceType: "module" }).program as unknown as Node;
  const lineAt = lineFinder(source);
  const exported: ExportedName[] = [];
  const passedOn: NameFacts["passedOn"][number][] = [];
  const taken: TakenName[] = [];
  for (const node of program.body as Node[]) {
    if (node.type === "ExportNamedDeclaration") {
      const specifier = stringValue(node.source);
      for (const each of node.specifiers as Node[]) {
        const [local, name] = [identifierName(each.local), identifierName(each.exported)];
        const from = specifier === null ? null : { specifier, name: local };
        const isType = node.exportKind === "type" || each.exportKind === "type";
        exported.push({ name, line: lineAt(each.start), isType, from });
      }
      for (const name of declaredBy(node.declaration))
        exported.push({ name, line: lineAt(node.start), isType: node.exportKind === "type", from: null });
    } else if (node.type === "ExportAllDeclaration") {
      const specifier = stringValue(node.source) ?? "";
      if (node.exported === null) passedOn.push({ specifier, isType: node.exportKind === "type" });
      else taken.push({ specifier, name: "*" });
    } else if (node.type === "ImportDeclaration") {
      taken.push(...namesTaken(node));
    }
  }
  visit(program, (node) => {
    const loaded =
      node.type === "ImportExpression" ? node.source : node.type === "TSImportType" ? node.source : null;
    const specifier = stringValue(loaded);
    if (specifier !== null) taken.push({ specifier, name: "*" });
  });
  return { exported, passedOn, taken };
}

function namesTaken(node: Node): TakenName[] {
  const specifier = stringValue(node.source) ?? "";
  return (node.specifiers as Node[]).map((each) => {
    if (each.type === "ImportNamespaceSpecifier") return { specifier, name: "*" };
    return {
      specifier,
      name: each.type === "ImportDefaultSpecifier" ? "default" : identifierName(each.imported),
    };
  });
}

function declaredBy(declaration: unknown): string[] {
  if (!isNode(declaration)) return [];
  if (declaration.type !== "VariableDeclaration") return [identifierName(declaration.id)];
  return (declaration.declarations as Node[]).flatMap(({ id }) => namesBound(id));
}

/** The names that a pattern binds: `a`, `{ a, b: c }`, `[a, ...b]`. */
function namesBound(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === "Identifier") return [pattern.name as string];
  const parts = [pattern.properties, pattern.elements].flat();
  return [...parts, pattern.value, pattern.argument, pattern.left].flatMap(namesBound);
}

const identifierName = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : "");
const stringValue = (node: unknown): string | null =>
  isNode(node) && typeof node.value === "string" ? node.value : null;

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  if (!isNode(node)) return;
  see(node);
  for (const value of Object.values(node)) if (typeof value === "object") visit(value, see);
}

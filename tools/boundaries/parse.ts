import assert from "node:assert/strict";
import { parseSync, visitorKeys } from "oxc-parser";

/** One place in a source file that names another module. */
export interface ImportSite {
  /** Text between the quotes; null if the name is computed at run time. */
  readonly specifier: string | null;
  readonly line: number;
  /** A dynamic import runs later, so it cannot close a cycle while modules load. */
  readonly isDynamic: boolean;
}

export interface GlobalUse {
  /** Dotted path from the global, such as `process.env.HOME`, or `new Date()`. */
  readonly path: string;
  readonly line: number;
}

export interface ModuleFacts {
  readonly imports: readonly ImportSite[];
  readonly globals: readonly GlobalUse[];
  /** First syntax error, if the file could not be parsed completely. */
  readonly syntaxError: { readonly message: string; readonly line: number } | null;
}

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

/** Ancestors of the visited node, nearest last. */
type Visit = (node: Node, ancestors: readonly Node[]) => void;

const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "global"]);

/** Reads every import and every use of a global in a TypeScript or JavaScript file, types included. */
export function readModuleFacts(path: string, source: string): ModuleFacts {
  const lineAt = lineIndex(source);
  const result = parseSync(path, source, { sourceType: "module" });
  const error = result.errors[0];
  if (error) {
    const start = error.labels[0]?.start ?? 0;
    return { imports: [], globals: [], syntaxError: { message: error.message, line: lineAt(start) } };
  }
  const program = result.program as unknown as Node;
  const names = collectNames(program);
  const imports: ImportSite[] = [];
  const globals: GlobalUse[] = [];
  walk(program, [], (node, ancestors) => {
    for (const found of findImports(node, names.requireLike)) {
      imports.push({ ...found, line: lineAt(node.start) });
    }
    for (const path of findGlobalPaths(node, ancestors, names.declared)) {
      globals.push({ path, line: lineAt(node.start) });
    }
  });
  for (const comment of result.comments) {
    const reference = /^\/\s*<reference\s+(?:path|types)\s*=\s*["']([^"']+)["']/.exec(comment.value);
    if (reference?.[1])
      imports.push({ specifier: reference[1], line: lineAt(comment.start), isDynamic: false });
  }
  return { imports, globals, syntaxError: null };
}

/** Names that the file binds, and those among them that load modules like `require`. */
function collectNames(program: Node): { declared: Set<string>; requireLike: Set<string> } {
  const declared = new Set<string>();
  const requireLike = new Set(["require"]);
  walk(program, [], (node, ancestors) => {
    if (node.type === "Identifier" && isBinding(node, ancestors)) declared.add(node.name as string);
    if (node.type !== "VariableDeclarator" || !isNode(node.init) || !isNode(node.id)) return;
    if (node.init.type === "CallExpression" && calleeName(node.init) === "createRequire") {
      requireLike.add(node.id.name as string);
    }
  });
  return { declared, requireLike };
}

function findImports(node: Node, requireLike: ReadonlySet<string>): Omit<ImportSite, "line">[] {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return [{ specifier: staticText(node.source), isDynamic: false }];
    case "ExportNamedDeclaration":
      return isNode(node.source) ? [{ specifier: staticText(node.source), isDynamic: false }] : [];
    case "TSImportType":
      return [{ specifier: staticText(node.source ?? node.argument), isDynamic: false }];
    case "TSExternalModuleReference":
      return [{ specifier: staticText(node.expression), isDynamic: false }];
    case "ImportExpression":
      return [{ specifier: staticText(node.source), isDynamic: true }];
    case "CallExpression":
      return loadsModule(node, requireLike)
        ? [{ specifier: staticText((node.arguments as unknown[])[0]), isDynamic: true }]
        : [];
    default:
      return [];
  }
}

/** `require(x)`, `require.resolve(x)`, the same on a `createRequire` result, and `import.meta.resolve(x)`. */
function loadsModule(call: Node, requireLike: ReadonlySet<string>): boolean {
  const callee = call.callee;
  if (!isNode(callee)) return false;
  if (callee.type === "Identifier") return requireLike.has(callee.name as string);
  if (callee.type !== "MemberExpression" || memberName(callee) !== "resolve") return false;
  const object = callee.object as Node;
  return (
    object.type === "MetaProperty" || (object.type === "Identifier" && requireLike.has(object.name as string))
  );
}

function findGlobalPaths(node: Node, ancestors: readonly Node[], declared: ReadonlySet<string>): string[] {
  if (node.type !== "Identifier" || declared.has(node.name as string)) return [];
  if (!isReference(node, ancestors)) return [];
  let depth = ancestors.length - 1;
  let top: Node = node;
  const parts = [node.name as string];
  for (; depth >= 0; depth -= 1) {
    const parent = ancestors[depth] as Node;
    const name = parent.type === "MemberExpression" && parent.object === top ? memberName(parent) : null;
    if (name === null) break;
    parts.push(name);
    top = parent;
  }
  if (GLOBAL_OBJECTS.has(parts[0] as string) && parts.length > 1) parts.shift();
  const path = parts.join(".");
  const parent = ancestors[depth];
  if (parent?.type === "NewExpression" && parent.callee === top && path === "Date") {
    return (parent.arguments as unknown[]).length === 0 ? ["new Date()"] : [];
  }
  const taken = parent?.type === "VariableDeclarator" && parent.init === top ? patternKeys(parent.id) : [];
  return taken.length > 0 ? taken.map((key) => `${path}.${key}`) : [path];
}

/** Keys that `const { a, b } = object` takes from the object. */
function patternKeys(pattern: unknown): string[] {
  if (!isNode(pattern) || pattern.type !== "ObjectPattern") return [];
  return (pattern.properties as Node[]).flatMap((property) => {
    const key = property.key;
    return isNode(key) && key.type === "Identifier" ? [key.name as string] : [];
  });
}

function isReference(node: Node, ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-1);
  if (!parent) return false;
  if (parent.type.startsWith("TS") && !TS_WITH_EXPRESSION.has(parent.type)) return false;
  if (parent.type === "MemberExpression") return parent.object === node || parent.computed === true;
  if ("key" in parent && parent.key === node && parent.value !== node) return parent.computed === true;
  return !NAME_ONLY_PARENTS.has(parent.type);
}

const TS_WITH_EXPRESSION = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

const NAME_ONLY_PARENTS = new Set([
  "ImportSpecifier",
  "ImportDefaultSpecifier",
  "ImportNamespaceSpecifier",
  "ExportSpecifier",
  "ExportAllDeclaration",
  "LabeledStatement",
  "BreakStatement",
  "ContinueStatement",
  "MetaProperty",
]);

function isBinding(node: Node, ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-1);
  if (!parent) return false;
  if (parent.type.startsWith("Import") && parent.local === node) return true;
  if (parent.type === "VariableDeclarator" || parent.type === "ClassDeclaration") return parent.id === node;
  if (parent.type === "CatchClause") return parent.param === node;
  if (/Function/.test(parent.type)) {
    return parent.id === node || (Array.isArray(parent.params) && parent.params.includes(node));
  }
  if (parent.type === "Property") return parent.value === node && ancestors.at(-2)?.type === "ObjectPattern";
  if (parent.type === "AssignmentPattern") return parent.left === node;
  return parent.type === "ArrayPattern" || parent.type === "RestElement";
}

function memberName(member: Node): string | null {
  const property = member.property as Node;
  if (member.computed !== true) return property.name as string;
  return staticText(property);
}

function calleeName(call: Node): string | null {
  const callee = call.callee as Node;
  if (callee.type === "Identifier") return callee.name as string;
  return callee.type === "MemberExpression" ? memberName(callee) : null;
}

/** The text of a string literal or of a template without expressions; null for anything computed. */
function staticText(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TSLiteralType") return staticText(node.literal);
  if (node.type !== "TemplateLiteral" || (node.expressions as unknown[]).length > 0) return null;
  const quasi = (node.quasis as { value: { cooked: string | null } }[])[0];
  return quasi?.value.cooked ?? null;
}

function walk(node: Node, ancestors: Node[], visit: Visit): void {
  visit(node, ancestors);
  const keys = visitorKeys[node.type];
  assert(keys, `The parser returned a node of the unknown type ${node.type}.`);
  ancestors.push(node);
  for (const key of keys) {
    const child = node[key];
    for (const each of Array.isArray(child) ? child : [child]) {
      if (isNode(each)) walk(each, ancestors, visit);
    }
  }
  ancestors.pop();
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** Offsets are counted in UTF-16 units; lines from 1. */
function lineIndex(source: string): (offset: number) => number {
  const starts = [0];
  for (let i = source.indexOf("\n"); i !== -1; i = source.indexOf("\n", i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

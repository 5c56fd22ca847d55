/**
 * Facts that the mutation check reads from a file: the declarations of its names, and the calls in a piece of its code.
 */
import { parseSync, visitorKeys } from "oxc-parser";
import { lineFinder } from "../run/line-finder.ts";

export type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

/** A name declared in another file. */
export interface Origin {
  readonly specifier: string;
  readonly name: string;
}

export interface Source {
  readonly file: string;
  readonly program: Node;
  /** Functions and constants of the file's top level, by their local name. */
  readonly declared: ReadonlyMap<string, Node>;
  readonly imported: ReadonlyMap<string, Origin>;
  /** Re-exported names, by their exported name. */
  readonly passedOn: ReadonlyMap<string, Origin>;
  lineOf(node: Node): number;
}

export function readSource(file: string, text: string): Source {
  const program = parseSync(file, text, { sourceType: "module" }).program as unknown as Node;
  const declared = new Map<string, Node>();
  const imported = new Map<string, Origin>();
  const passedOn = new Map<string, Origin>();
  for (const statement of nodesIn(program.body)) {
    const specifier = stringValue(statement.source);
    if (statement.type === "ImportDeclaration" && specifier !== null) {
      for (const each of nodesIn(statement.specifiers)) {
        imported.set(identifierName(each.local), { specifier, name: identifierName(each.imported) });
      }
    } else if (statement.type === "ExportNamedDeclaration" && specifier !== null) {
      for (const each of nodesIn(statement.specifiers)) {
        passedOn.set(identifierName(each.exported), { specifier, name: identifierName(each.local) });
      }
    } else {
      const declaration = isNode(statement.declaration) ? statement.declaration : statement;
      for (const [name, node] of listDeclarations(declaration)) declared.set(name, node);
    }
  }
  const lineAt = lineFinder(text);
  const lineOf = ({ start }: Node): number => lineAt(start);
  return { file, program, declared, imported, passedOn, lineOf };
}

function listDeclarations(node: Node): [string, Node][] {
  if (node.type === "FunctionDeclaration") return [[identifierName(node.id), node]];
  if (node.type !== "VariableDeclaration") return [];
  return nodesIn(node.declarations).flatMap(({ id, init }): [string, Node][] =>
    isNode(init) ? [[identifierName(id), init]] : [],
  );
}

/** Calls in a piece of code, including those inside the functions that it creates, in source order. */
export function callsIn(node: Node): Node[] {
  const found: Node[] = [];
  walk(node, (each) => {
    if (each.type === "CallExpression") found.push(each);
  });
  return found.sort((a, b) => a.start - b.start);
}

export const isFunction = ({ type }: Node): boolean => /Function/.test(type);

/** Statements of a function; a single one for an arrow function with an expression body. */
export function bodyStatements({ body }: Node): Node[] {
  if (!isNode(body)) return [];
  return body.type === "BlockStatement" ? nodesIn(body.body) : [body];
}

/** `a` of `a(..)`; null for a call of anything but a bare name. */
export const calleeName = ({ callee }: Node): string | null =>
  isNode(callee) && callee.type === "Identifier" ? identifierName(callee) : null;

/** `["a", "b", "c"]` of `a.b.c`, and the known end of a path that begins with an expression other than a name. */
export function memberPath(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === "MemberExpression") return [...memberPath(node.object), identifierName(node.property)];
  return node.type === "Identifier" ? [identifierName(node)] : [];
}

export const callArguments = (call: Node): Node[] => nodesIn(call.arguments);

/** Parameter names of the functions around and inside a piece of code. */
export function parametersIn(node: Node): Set<string> {
  const names = new Set<string>();
  walk(node, (each) => {
    if (!isFunction(each)) return;
    for (const parameter of nodesIn(each.params)) {
      if (parameter.type === "Identifier") names.add(identifierName(parameter));
    }
  });
  return names;
}

function walk(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of nodesIn([node[key]].flat())) walk(child, see);
  }
}

export const identifierName = (node: unknown): string =>
  isNode(node) ? String(node.name ?? node.value ?? "") : "";

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const nodesIn = (values: unknown): Node[] => (Array.isArray(values) ? values.filter(isNode) : []);

const stringValue = (node: unknown): string | null =>
  isNode(node) && typeof node.value === "string" ? node.value : null;

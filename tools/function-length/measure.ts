import { type Expression, parseSync, Visitor } from "oxc-parser";
import { lineFinder } from "../run/line-finder.ts";

/** Lines of code that one screen shows: a reader follows a function without scrolling. */
export const LINES_PER_FUNCTION_MAX = 70;

export interface MeasuredFunction {
  readonly name: string;
  readonly line: number;
  /** First line to closing brace, with blank lines, comments and nested functions. */
  readonly lineCount: number;
}

/** Measures every function of a file, except callbacks of `describe` in tests, which only group. */
export function measureFunctions(path: string, source: string): MeasuredFunction[] {
  const { program, errors } = parseSync(path, source, { sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path} could not be read: ${errors[0]?.message}`);
  const isTest = /\.(?:test|spec)\.tsx?$/.test(path);
  const lineAt = lineFinder(source);
  const measured: MeasuredFunction[] = [];
  /** Names that parents have for functions without one, by the offset at which the function begins. */
  const labels = new Map<number, { readonly name: string; readonly start: number }>();
  const groupStarts = new Set<number>();

  const label = (value: { readonly start: number } | null, name: string, start?: number): void => {
    if (value !== null) labels.set(value.start, { name, start: start ?? value.start });
  };
  const sourceText = ({ start, end }: { readonly start: number; readonly end: number }): string =>
    source.slice(start, end);
  const measure = (start: number, end: number, ownName?: string): void => {
    if (groupStarts.has(start)) return;
    const known = labels.get(start);
    const line = lineAt(known?.start ?? start);
    const name = ownName ?? known?.name ?? "a function without a name";
    measured.push({ name, line, lineCount: lineAt(end - 1) - line + 1 });
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => label(init, id.type === "Identifier" ? id.name : sourceText(id)),
    AssignmentExpression: ({ left, right }) => label(right, sourceText(left)),
    PropertyDefinition: ({ key, value }) => label(value, sourceText(key)),
    MethodDefinition: ({ key, value, start }) => label(value, sourceText(key), start),
    Property: ({ key, value, method, kind, start }) =>
      label(value, sourceText(key), method || kind !== "init" ? start : undefined),
    CallExpression: ({ callee, arguments: given, start }) => {
      for (const each of given) {
        label(each, `callback of ${firstLine(source.slice(start, each.start))})`);
        if (isTest && isDescribe(callee)) groupStarts.add(each.start);
      }
    },
    FunctionDeclaration: ({ id, start, end }) => measure(start, end, id?.name),
    FunctionExpression: ({ id, start, end }) => measure(start, end, id?.name),
    ArrowFunctionExpression: ({ start, end }) => measure(start, end),
  }).visit(program);
  return measured;
}

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").replace(/[,(\s]+$/, "");

/** Returns true for `describe`, `describe.each(...)`, `test.describe` of Playwright and their other forms. */
function isDescribe(callee: Expression): boolean {
  if (callee.type === "Identifier") return callee.name === "describe";
  if (callee.type === "CallExpression") return isDescribe(callee.callee);
  if (callee.type === "TaggedTemplateExpression") return isDescribe(callee.tag);
  if (callee.type !== "MemberExpression" || callee.computed) return false;
  return callee.property.name === "describe" || isDescribe(callee.object);
}

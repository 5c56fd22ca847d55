import { parseSync, Visitor } from "oxc-parser";
import { lineFinder } from "../run/line-finder.ts";

export interface Cast {
  readonly line: number;
  /** The type that the cast claims. */
  readonly type: string;
}

/** Finds every place where a file overrides the compiler's type of a value; `as const` and `satisfies` do not. */
export function findCasts(path: string, source: string): Cast[] {
  const { program, errors } = parseSync(path, source, { sourceType: "module" });
  if (errors.length > 0) throw new Error(`${path} could not be read: ${errors[0]?.message}`);
  const lineAt = lineFinder(source);
  const casts: Cast[] = [];
  const note = (start: number, type: string): void => {
    if (type !== "const") casts.push({ line: lineAt(start), type });
  };
  new Visitor({
    TSAsExpression: ({ start, typeAnnotation: of }) => note(start, source.slice(of.start, of.end)),
    TSTypeAssertion: ({ start, typeAnnotation: of }) => note(start, source.slice(of.start, of.end)),
    TSNonNullExpression: ({ start }) => note(start, "non-null"),
  }).visit(program);
  return casts;
}

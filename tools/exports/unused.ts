/**
 * Finds exports that no other file imports, tests included; a name that is re-exported must be imported at the end of
 * the chain. A type counts as used where its own file names it as well, because callers of a function may need to name
 * the types of its parameters; it costs nothing when the program runs. A name that an entry point passes on with
 * `export *` must be imported by another package through it, or a helper shared within a package would be public
 * without notice; entry points for tests are exempt.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { boundaryRules } from "../boundaries/rules.ts";
import { readWorkspace, resolveRelative, type Workspace } from "../boundaries/workspace.ts";
import { type ExportedName, type NameFacts, readNames } from "./parse.ts";

export interface UnusedExport {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** Entry point that makes the name public with `export *`; null for a name that nothing imports. */
  readonly door: string | null;
}

/** Frameworks and tools import the names of these files themselves. */
const ASKED_BY_NAME = [
  /^apps\/console\/src\/app\/(.*\/)?(page|layout|route|error|loading|not-found|global-error|manifest|icon)\.tsx?$/,
  /^apps\/console\/src\/(proxy|instrumentation)\.ts$/,
  /\.config\.[cm]?[jt]s$/,
  /\.d\.[cm]?ts$/,
];

export function findUnusedExports(root: string): UnusedExport[] {
  const workspace = readWorkspace(root);
  const files = workspace.files.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const facts = new Map([...texts].map(([file, text]) => [file, readNames(file, text)]));
  const used = new Set<string>();
  const abroad = new Map<string, Set<string>>();
  const resolve = resolver(workspace);
  for (const [file, { taken }] of facts) {
    for (const { specifier, name } of taken) {
      const target = resolve(file, specifier);
      use(target, name, { facts, used, resolve });
      if (target !== null && workspace.unitOf(target) !== workspace.unitOf(file))
        abroad.set(target, (abroad.get(target) ?? new Set()).add(name));
    }
  }
  const isIdle = (file: string, { name, isType, from }: ExportedName): boolean =>
    !isType || (from === null && !isNamedTwice(texts.get(file) ?? "", name));
  const unused = [...facts].flatMap(([file, { exported }]) =>
    ASKED_BY_NAME.some((pattern) => pattern.test(file))
      ? []
      : exported
          .filter(({ name }) => name !== "default" && !used.has(`${file}#${name}`))
          .filter((each) => isIdle(file, each))
          .map(({ name, line }) => ({ file, line, name, door: null })),
  );
  const shared = [...abroad].flatMap(([door, names]) =>
    (facts.get(door)?.passedOn ?? []).flatMap(({ specifier, isType: isErased }) => {
      const file = resolve(door, specifier) ?? "";
      if (isErased || names.has("*") || door.includes("/testing/")) return [];
      return (facts.get(file)?.exported ?? [])
        .filter(({ name }) => !names.has(name))
        .filter((each) => isIdle(file, each))
        .map(({ name, line }) => ({ file, line, name, door }));
    }),
  );
  return [...unused, ...shared];
}

const isNamedTwice = (text: string, name: string): boolean =>
  text.split(new RegExp(`\\b${name}\\b`)).length > 2;

type Resolve = (from: string, specifier: string) => string | null;

interface Known {
  readonly facts: ReadonlyMap<string, NameFacts>;
  readonly used: Set<string>;
  readonly resolve: Resolve;
}

/** Marks the name where it is declared and in every file that passes it on. */
function use(file: string | null, name: string, known: Known): void {
  const own = file === null ? undefined : known.facts.get(file);
  if (file === null || own === undefined || known.used.has(`${file}#${name}`)) return;
  known.used.add(`${file}#${name}`);
  for (const each of own.exported) {
    if (name !== "*" && each.name !== name) continue;
    if (name === "*") known.used.add(`${file}#${each.name}`);
    if (each.from !== null) use(known.resolve(file, each.from.specifier), each.from.name, known);
  }
  for (const { specifier } of own.passedOn) use(known.resolve(file, specifier), name, known);
}

/** Specifiers of the repository's own files; null for all others. */
function resolver({ files, units, unitOf }: Workspace): Resolve {
  const known = new Set(files);
  const doors = new Map(
    units.flatMap(({ folder, manifest }) =>
      Object.entries(typeof manifest.exports === "object" ? manifest.exports : {}).flatMap(
        ([door, target]) =>
          typeof target === "string" && folder !== "."
            ? [[`${manifest.name}${door.slice(1)}`, `${folder}/${target.replace(/^\.\//, "")}`] as const]
            : [],
      ),
    ),
  );
  return (from, specifier) => {
    const { folder } = unitOf(from);
    for (const [prefix, target] of Object.entries(boundaryRules.aliases[folder] ?? {})) {
      if (specifier.startsWith(prefix)) {
        return resolveRelative(
          `${folder}/${basename(from)}`,
          `./${target}${specifier.slice(prefix.length)}`,
          known,
        );
      }
    }
    return specifier.startsWith(".")
      ? resolveRelative(from, specifier, known)
      : (doors.get(specifier) ?? null);
  };
}

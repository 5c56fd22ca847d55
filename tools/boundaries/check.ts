import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, matchesGlob } from "node:path";
import { readStyleImports } from "./css.ts";
import { findCycles } from "./cycles.ts";
import { type FileImports, findFolderCircles } from "./folders.ts";
import { type ImportSite, type ModuleFacts, readModuleFacts } from "./parse.ts";
import type { BoundaryRules, UnitRule } from "./rules.ts";
import { type Manifest, readWorkspace, resolveRelative, type Unit, type Workspace } from "./workspace.ts";

/** One broken rule, as a sentence with the place, the import and the permitted ones. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

interface Context {
  readonly workspace: Workspace;
  readonly rules: BoundaryRules;
  readonly files: ReadonlySet<string>;
}

interface Source {
  readonly file: string;
  readonly unit: Unit;
  readonly facts: ModuleFacts;
}

/** Checks every source file under `root` against the rules; an empty list means that all hold. */
export function checkBoundaries(root: string, rules: BoundaryRules): Finding[] {
  const { context, sources } = readRepository(root, rules);
  return brokenBoundaries(context, sources);
}

/** Finds the rights to import that no file uses, in rows of folders that exist. */
export function findUnusedRights(root: string, rules: BoundaryRules): Finding[] {
  const { context, sources } = readRepository(root, rules);
  return unusedRights(context, sources);
}

/** Finds both broken boundaries and unused rights, and reads every file once. */
export function checkRepository(root: string, rules: BoundaryRules): Finding[] {
  const { context, sources } = readRepository(root, rules);
  return [...brokenBoundaries(context, sources), ...unusedRights(context, sources)];
}

function readRepository(root: string, rules: BoundaryRules): { context: Context; sources: Source[] } {
  const workspace = readWorkspace(root);
  const sources = workspace.files.map((file): Source => {
    const text = readFileSync(join(root, file), "utf8");
    const facts = file.endsWith(".css") ? readStyleImports(text) : readModuleFacts(file, text);
    return { file, unit: workspace.unitOf(file), facts };
  });
  return { context: { workspace, rules, files: new Set(workspace.files) }, sources };
}

function brokenBoundaries(context: Context, sources: readonly Source[]): Finding[] {
  const imports = fileImports(context, sources);
  const cycles = checkCycles(imports);
  return [
    ...sources.flatMap((source) => checkSource(context, source)),
    // A cycle of files is also a circle of their folders.
    ...(cycles.length > 0 ? cycles : checkFolders(imports)),
  ];
}

function unusedRights({ workspace, rules }: Context, sources: readonly Source[]): Finding[] {
  const used = new Map<UnitRule, { byAll: Set<string>; byTests: Set<string> }>();
  for (const { file, unit, facts } of sources) {
    const row = findUnitRule(rules, unit);
    if (row === undefined) continue;
    const names = used.get(row) ?? { byAll: new Set(), byTests: new Set() };
    used.set(row, names);
    for (const { specifier } of facts.imports) {
      if (!specifier?.startsWith(rules.scope)) continue;
      const target = workspace.units.find(({ manifest }) => manifest.name === packageName(specifier));
      if (target) (isTest(file) ? names.byTests : names.byAll).add(rightTo(target));
    }
  }
  return [...used].flatMap(([row, { byAll, byTests }]) => {
    const always = row.mayImport === "any package" ? [] : row.mayImport;
    const unused = always.filter((name) => !byAll.has(name) && !byTests.has(name));
    const unusedByTests = (row.testsMayImport ?? []).filter((name) => !byTests.has(name));
    return [...unused, ...unusedByTests].map((name) => ({
      file: "tools/boundaries/rules.ts",
      line: 1,
      message: `${row.unit} may import ${name}, which none of its files does; remove the right.`,
    }));
  });
}

export function formatFinding(finding: Finding): string {
  return `${finding.file}:${finding.line}: ${finding.message}`;
}

function checkSource(context: Context, source: Source): Finding[] {
  const { file, unit, facts } = source;
  if (facts.syntaxError) {
    return [
      { file, line: facts.syntaxError.line, message: `cannot be parsed: ${facts.syntaxError.message}.` },
    ];
  }
  const row = findUnitRule(context.rules, unit);
  if (!row) {
    const message = `${unit.folder} has no row in tools/boundaries/rules.ts; add one that names what it may import.`;
    return [{ file, line: 1, message }];
  }
  const imports = facts.imports.flatMap((site) => {
    const message = checkImport(context, source, row, site);
    return message === null ? [] : [{ file, line: site.line, message }];
  });
  return [...imports, ...checkGlobals(context.rules, source)];
}

function findUnitRule(rules: BoundaryRules, unit: Unit): UnitRule | undefined {
  return rules.units.find((row) => matchesGlob(unit.folder, row.unit));
}

/** Explains why this import is forbidden; null if it is allowed. */
function checkImport(context: Context, source: Source, row: UnitRule, site: ImportSite): string | null {
  const { file, unit } = source;
  const { rules } = context;
  if (site.specifier === null) {
    if (rules.computedImportsAllowedIn.includes(file)) return null;
    return "imports a module whose name is computed, which cannot be checked; write the name as a plain string.";
  }
  const specifier = applyAlias(rules, unit, file, site.specifier);
  if (/^\.{1,2}(\/|$)/.test(specifier)) return checkRelative(context, source, specifier);
  if (/^(?:\/|[a-z]+:\/\/|file:|data:)/.test(specifier)) {
    return `imports "${specifier}"; name a package or a relative path inside ${unit.folder} instead.`;
  }
  const impure = checkModulePurity(rules, source, specifier);
  if (impure !== null) return impure;
  if (isBuiltin(specifier)) {
    if (specifier.startsWith("node:")) return null;
    return `imports "${specifier}"; write "node:${specifier}", so that no package can take its place.`;
  }
  if (specifier.startsWith(rules.scope)) return checkOwnPackage(context, source, row, specifier);
  return checkListed(context, source, specifier);
}

/** Resolves a bundler's alias, such as `@/`, to a relative path. */
function applyAlias(rules: BoundaryRules, unit: Unit, file: string, specifier: string): string {
  for (const [prefix, folder] of Object.entries(rules.aliases[unit.folder] ?? {})) {
    if (!specifier.startsWith(prefix)) continue;
    const depth = file.split("/").length - unit.folder.split("/").length - 1;
    return `./${"../".repeat(depth)}${folder}${specifier.slice(prefix.length)}`;
  }
  return specifier;
}

function checkRelative(context: Context, { file, unit }: Source, specifier: string): string | null {
  const target = join(file, "..", specifier).replaceAll("\\", "/");
  if (target.startsWith("../")) return `imports "${specifier}", which is outside the repository.`;
  const owner = context.workspace.unitOf(target);
  if (owner === unit) return null;
  const name = owner.manifest.name ?? owner.folder;
  return `imports "${specifier}", a path into ${owner.folder}; only names that "${name}" exports may be imported from outside it.`;
}

function checkOwnPackage(context: Context, source: Source, row: UnitRule, specifier: string): string | null {
  const { unit, file } = source;
  const name = packageName(specifier);
  const target = context.workspace.units.find((each) => each.manifest.name === name && each.folder !== ".");
  if (!target) return `imports "${specifier}", but no package here is called "${name}".`;
  if (target === unit) return `imports "${specifier}", its own package; use a relative path.`;
  const right = rightTo(target);
  const tests = isTest(file) ? (row.testsMayImport ?? []) : [];
  const allowed =
    row.mayImport === "any package"
      ? target.folder.startsWith("packages/")
      : row.mayImport.includes(right) || tests.includes(right);
  if (!allowed) return `imports "${specifier}"; ${unit.folder} may import ${allowedText(row, tests)}.`;
  const subpath = `.${specifier.slice(name.length)}`;
  const exported = exportedPaths(target.manifest);
  if (!exported.includes(subpath)) {
    const names = exported.map((path) => `"${name}${path.slice(1)}"`).join(", ");
    return `imports "${specifier}", an inner path; ${name} exports ${names || "nothing"}.`;
  }
  return checkListed(context, source, specifier);
}

/** Names an importable folder as in the table: packages by name, others by path. */
const rightTo = ({ folder }: Unit): string => folder.replace(/^packages\//, "");

function allowedText(row: UnitRule, tests: readonly string[]): string {
  if (row.mayImport === "any package") return "only what is under packages/";
  const names = [...row.mayImport, ...tests];
  return names.length === 0 ? "nothing of ours" : `only ${names.join(", ")}`;
}

function exportedPaths(manifest: Manifest): string[] {
  if (typeof manifest.exports === "string") return ["."];
  return Object.keys(manifest.exports ?? {});
}

function checkListed({ rules }: Context, { unit, file }: Source, specifier: string): string | null {
  const name = packageName(specifier);
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = unit.manifest;
  const listed = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
  if (name in listed) return null;
  if (isTest(file) && rules.testTools.includes(name)) return null;
  const path = unit.manifestFolder === "." ? "package.json" : `${unit.manifestFolder}/package.json`;
  return `imports "${specifier}", but only what ${path} lists may be imported; add "${name}" to it.`;
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] as string);
}

/** Test files, and the helpers in `testing/` folders that only tests call. */
function isTest(file: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(file) || file.includes("/testing/");
}

function checkModulePurity(rules: BoundaryRules, { unit, file }: Source, specifier: string): string | null {
  if (isTest(file)) return null;
  const name = isBuiltin(specifier) && !specifier.startsWith("node:") ? `node:${specifier}` : specifier;
  for (const rule of rules.purity) {
    if (!rule.units.includes(unit.folder) || rule.modulesAllowed?.includes(name)) continue;
    if (rule.modulesAllowedIn?.includes(file)) continue;
    const isDenied = rule.modules.some((each) =>
      each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each || name.startsWith(`${each}/`),
    );
    if (isDenied) {
      return `imports "${specifier}"; ${unit.folder} may not use ${rule.modules.join(", ")}, because ${rule.because}.`;
    }
  }
  return null;
}

function checkGlobals(rules: BoundaryRules, { unit, file, facts }: Source): Finding[] {
  const active = rules.purity.filter(
    (rule) => rule.units.includes(unit.folder) && !rule.globalsAllowedIn?.includes(file),
  );
  return active.flatMap((rule) =>
    facts.globals.flatMap(({ path, line }) => {
      const denied = rule.globals.find((each) => path === each || path.startsWith(`${each}.`));
      if (!denied) return [];
      const message = `uses ${denied}; ${unit.folder} may not use ${rule.globals.join(", ")}, because ${rule.because}.`;
      return [{ file, line, message }];
    }),
  );
}

/** Static imports of files, by relative paths. */
function fileImports(context: Context, sources: readonly Source[]): Map<string, Map<string, number>> {
  const edges = new Map<string, Map<string, number>>();
  for (const { file, unit, facts } of sources) {
    const targets = new Map<string, number>();
    for (const site of facts.imports) {
      if (site.specifier === null || site.isDynamic) continue;
      const specifier = applyAlias(context.rules, unit, file, site.specifier);
      if (!specifier.startsWith(".")) continue;
      const target = resolveRelative(file, specifier, context.files);
      if (target !== null && !targets.has(target)) targets.set(target, site.line);
    }
    edges.set(file, targets);
  }
  return edges;
}

/** Reports a circle once, at its first import. Tests may reach across folders. */
function checkFolders(imports: FileImports): Finding[] {
  const ofProduct = [...imports].filter(([file]) => !isTest(file));
  return findFolderCircles(new Map(ofProduct)).map(({ folder, names, imports: arrows }) => {
    const { file = folder, line = 1 } = arrows[0] ?? {};
    const circle = [...names, names[0]].join(" -> ");
    const through = arrows.map((arrow) => `${arrow.file} imports ${arrow.target}`).join(", ");
    return {
      file,
      line,
      message: `${folder} has a cycle, ${circle} (${through}); move what both need to where neither reaches back.`,
    };
  });
}

/** Reports a cycle once, at the import of its first file (by name) that leads into it. */
function checkCycles(edges: FileImports): Finding[] {
  return findCycles(edges).map((cycle) => {
    const [first = "", second = first] = cycle;
    const line = edges.get(first)?.get(second) ?? 1;
    return {
      file: first,
      line,
      message: `imports itself through ${[...cycle, first].join(" -> ")}; move what both need into a third file.`,
    };
  });
}

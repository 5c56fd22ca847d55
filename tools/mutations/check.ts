/**
 * Follows every mutation of the API to the verb that carries it out, and refuses a verb
 * - that does not begin by checking a role: nothing may be called before `requireRole`, or before a function of services
 *   that begins with it;
 * - that leaves no audit event, itself or by a function that it calls;
 * - that writes the event, or changes rows, through a connection other than that of a transaction.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, readWorkspace, resolveRelative } from "../boundaries/workspace.ts";
import {
  bodyStatements,
  callArguments,
  calleeName,
  callsIn,
  identifierName,
  isFunction,
  memberPath,
  type Node,
  parametersIn,
  readSource,
  type Source,
} from "./source.ts";

const routers = "packages/api/src/router/";
const services = "packages/services";
const roleCheck = `${services}/src/context.ts#requireRole`;
const auditWriter = `${services}/src/audit/write.ts#writeAudit`;
const adapters = new Set(["mutation", "mutationWith"]);

/** Rules that a verb may break, with the reason. */
export interface MutationException {
  readonly verb: string;
  readonly may: "check no role" | "write no audit event" | "change rows outside of its transaction";
  readonly because: string;
}

export interface MutationFinding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

interface Declaration {
  readonly key: string;
  readonly source: Source;
  readonly node: Node;
}

export function checkMutations(root: string, exceptions: readonly MutationException[]): MutationFinding[] {
  const code = readCode(root);
  const used = new Set<MutationException>();
  const findings = code.routers.flatMap((router) =>
    callsIn(router.program)
      .filter((call) => adapters.has(calleeName(call) ?? ""))
      .flatMap((call) => {
        const name = identifierName(callArguments(call).at(-1));
        const verb = code.declarationOf(router, name);
        const messages =
          verb === null
            ? ["makes a mutation of something other than a verb of services, by its name."]
            : verbFaults(code, verb)
                .filter(({ fault }) => {
                  const exception = exceptions.find((each) => each.verb === name && each.may === fault);
                  if (exception !== undefined) used.add(exception);
                  return exception === undefined;
                })
                .map(({ sentence }) => `${name} ${sentence}`);
        return messages.map((message) => ({ file: router.file, line: router.lineOf(call), message }));
      }),
  );
  const unused = exceptions
    .filter((each) => !used.has(each))
    .map(({ verb, may }) => ({
      file: "tools/mutations/exceptions.ts",
      line: 1,
      message: `lets ${verb} ${may}, which no mutation needs; remove the row.`,
    }));
  return [...findings, ...unused];
}

interface Fault {
  readonly fault: MutationException["may"] | "write its event outside";
  readonly sentence: string;
}

function verbFaults(code: Code, verb: Declaration): Fault[] {
  const faults: Fault[] = [];
  if (!beginsWithRole(code, verb, new Set())) {
    faults.push({
      fault: "check no role",
      sentence: "does something before it checks a role, or checks none; begin it with requireRole.",
    });
  }
  const reached = reachedFrom(code, verb);
  const writes = reached.flatMap((each) => auditsIn(code, each));
  if (writes.length === 0) {
    faults.push({
      fault: "write no audit event",
      sentence: "writes no audit event; call writeAudit last in its transaction.",
    });
  }
  for (const { source, call } of writes.filter(({ isInTransaction }) => !isInTransaction)) {
    const place = `${source.file}:${source.lineOf(call)}`;
    faults.push({
      fault: "write its event outside",
      sentence: `writes its audit event by a connection other than the transaction's; see ${place}.`,
    });
  }
  for (const { source, call } of reached.flatMap(changesOutsideIn)) {
    const place = `${source.file}:${source.lineOf(call)}`;
    faults.push({
      fault: "change rows outside of its transaction",
      sentence: `changes rows outside of the transaction of its audit event; see ${place}.`,
    });
  }
  return faults;
}

function beginsWithRole(code: Code, { key, source, node }: Declaration, seen: Set<string>): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  for (const statement of isFunction(node) ? bodyStatements(node) : []) {
    const calls = callsIn(statement);
    const callees = calls.flatMap((call) => code.declarationOf(source, calleeName(call) ?? "") ?? []);
    if (callees.some((each) => each.key === roleCheck || beginsWithRole(code, each, seen))) return true;
    if (calls.length > 0) return false;
  }
  return false;
}

/** The verb and all functions of services that it calls or passes on, at any depth. */
function reachedFrom(code: Code, verb: Declaration): Declaration[] {
  const found = new Map([[verb.key, verb]]);
  for (const { source, node } of found.values()) {
    for (const call of callsIn(node)) {
      for (const name of [calleeName(call), ...callArguments(call).map(identifierName)]) {
        const next = code.declarationOf(source, name ?? "");
        if (next !== null && isFunction(next.node) && !found.has(next.key)) found.set(next.key, next);
      }
    }
  }
  return [...found.values()];
}

interface AuditWrite {
  readonly source: Source;
  readonly call: Node;
  readonly isInTransaction: boolean;
}

/** A transaction comes as a parameter; the platform's own client is a separate connection. */
function auditsIn(code: Code, { source, node }: Declaration): AuditWrite[] {
  const parameters = parametersIn(node);
  return callsIn(node)
    .filter((call) => code.declarationOf(source, calleeName(call) ?? "")?.key === auditWriter)
    .map((call) => ({
      source,
      call,
      isInTransaction: parameters.has(identifierName(callArguments(call)[0])),
    }));
}

const changes = /^(?:create|update|upsert|delete)/;

/** Finds `db.model.update(..)` and `platform.db.model.update(..)`; a transaction has another name. */
function changesOutsideIn({ source, node }: Declaration): { source: Source; call: Node }[] {
  return callsIn(node)
    .filter((call) => {
      const [connection, , method = ""] = memberPath(call.callee).slice(-3);
      return connection === "db" && changes.test(method);
    })
    .map((call) => ({ source, call }));
}

interface Code {
  readonly routers: readonly Source[];
  /** Declaration of a name in a file; null for anything but a declaration of services. */
  declarationOf(source: Source, name: string): Declaration | null;
}

function readCode(root: string): Code {
  const workspace = readWorkspace(root);
  const { manifest } = workspace.unitOf(`${services}/src/context.ts`);
  const files = new Set(workspace.files);
  const known = new Map(
    workspace.files
      .filter((file) => file.startsWith(routers) || file.startsWith(`${services}/src/`))
      .map((file) => [file, readSource(file, readFileSync(join(root, file), "utf8"))] as const),
  );
  const findDeclaration = (source: Source, name: string): Declaration | null => {
    const node = source.declared.get(name);
    if (node !== undefined) return { key: `${source.file}#${name}`, source, node };
    const origin = source.imported.get(name) ?? source.passedOn.get(name);
    if (origin === undefined) return null;
    const next = known.get(resolveImport(source.file, origin.specifier, files, manifest) ?? "");
    return next === undefined ? null : findDeclaration(next, origin.name);
  };
  const isRouter = ({ file }: Source): boolean => file.startsWith(routers);
  return { routers: [...known.values()].filter(isRouter), declarationOf: findDeclaration };
}

function resolveImport(
  from: string,
  specifier: string,
  files: ReadonlySet<string>,
  { name = "", exports }: Manifest,
): string | null {
  if (specifier.startsWith(".")) return resolveRelative(from, specifier, files);
  if (typeof exports !== "object" || !specifier.startsWith(`${name}/`)) return null;
  const door = exports[`.${specifier.slice(name.length)}`];
  return typeof door === "string" ? `${services}/${door.replace(/^\.\//, "")}` : null;
}

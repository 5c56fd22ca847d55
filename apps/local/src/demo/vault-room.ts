/** Reads the pods' fullness from the nodes themselves, because the demo load has no database. */

import { fullnessOf, type PodRoom } from "@stashlight/contracts/vault/fullness";
import type { VaultFile } from "@stashlight/node-runtime/config";
import type { AdminAccess, AskAdmin } from "@stashlight/node-runtime/durability";

export interface FullnessQuestion {
  readonly file: VaultFile;
  readonly access: AdminAccess;
  readonly ask: AskAdmin;
}

/** Null while a pod node does not answer, because the fullness of the others may be too high or too low. */
export async function readFullness({ file, access, ask }: FullnessQuestion): Promise<number | null> {
  const nodes = file.nodes.filter(({ role }) => role === "pod");
  const answers = await Promise.all(nodes.map((node) => ask(node, "/healthz", { access })));
  const rooms = answers.map((answer) =>
    answer.type === "answered" && answer.status === 200 ? roomsIn(answer.body) : null,
  );
  if (rooms.some((each) => each === null)) return null;
  return fullnessOf(rooms.flatMap((each) => each ?? []));
}

interface Health {
  readonly drives?: readonly {
    readonly log?: { readonly dataBytesFree?: unknown; readonly dataBytesMax?: unknown } | null;
  }[];
}

/** The space of the running drives. */
function roomsIn(body: unknown): PodRoom[] | null {
  const { drives } = (body ?? {}) as Health;
  if (!Array.isArray(drives)) return null;
  return (drives as NonNullable<Health["drives"]>).flatMap(({ log }) => {
    const { dataBytesFree, dataBytesMax } = log ?? {};
    const isTold = typeof dataBytesFree === "number" && typeof dataBytesMax === "number";
    return isTold ? [{ freeBytes: dataBytesFree, usableBytes: dataBytesMax }] : [];
  });
}

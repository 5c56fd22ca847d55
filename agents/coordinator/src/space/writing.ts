/** Holds bodies while a request writes them, and queues them for collection if no list names them at its end. */
import { newPieceId, type Owner, type PieceList } from "../records/pieces.ts";
import type { Collector } from "./collector.ts";
import type { Holds } from "./large-object-holds.ts";

export interface WrittenBody {
  /** List of the pieces stored so far. */
  readonly list: PieceList;
  /** Called before storing a piece, which may exist even if storing it fails. */
  grow(bytes: number): void;
  /** Called after storing a piece. */
  touch(): void;
}

export type NewBodyId = (owner: Owner) => string;
export type BeginBody = (owner: Owner, pieceBytes: number) => WrittenBody;

export interface Writing {
  readonly holds: Holds;
  readonly collector: Pick<Collector, "add">;
  readonly newBodyId?: NewBodyId | undefined;
}

/** Runs a request that stores bodies and then, perhaps in several attempts, a list that names them. */
export async function writing<Result>(
  { holds, collector, newBodyId = newPieceId }: Writing,
  work: (beginBody: BeginBody) => Promise<Result>,
): Promise<Result> {
  const begun: WrittenBody[] = [];
  try {
    return await work((owner, pieceBytes) => {
      const body = beginBody(holds, owner, { id: newBodyId(owner), pieceBytes });
      begun.push(body);
      return body;
    });
  } finally {
    for (const { list } of begun) {
      if (holds.isWriting(list.id)) collector.add([list]);
      holds.endWriting(list.id);
    }
  }
}

function beginBody(
  holds: Holds,
  owner: Owner,
  { id, pieceBytes }: Pick<PieceList, "id" | "pieceBytes">,
): WrittenBody {
  const { touch } = holds.hold(owner, { kind: "write", id });
  let sizeBytes = 0;
  return {
    get list() {
      return { id, sizeBytes, pieceBytes };
    },
    grow: (bytes) => {
      sizeBytes += bytes;
    },
    touch,
  };
}

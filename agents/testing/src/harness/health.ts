/** Parts of the nodes' health reports that tests read. */
export interface DriveHealth {
  readonly address: string;
  readonly driveId: string;
  readonly state: { readonly type: string; readonly lifecycle?: string; readonly reason?: string };
  /** Null for a drive that takes part in new uploads. */
  readonly quarantine: { readonly sinceMs: number; readonly by: string } | null;
  readonly log: {
    readonly recordsLive: number;
    readonly occupancy: number;
    readonly segmentsTotal: number;
    readonly dataBytesMax: number;
    readonly dataBytesFree: number;
  } | null;
  /** Null for a stash device. */
  readonly index: { readonly records: number; readonly recordsMax: number; readonly share: number } | null;
  /** Null for a stash device. */
  readonly indexPages: {
    readonly heldBytes: number;
    readonly fileBytes: number;
    readonly error: string | null;
  } | null;
  /** Null for a stash device, and for a pod that is not running. */
  readonly missing: { readonly shardCount: number; readonly bytes: number } | null;
  readonly refusals: Readonly<Record<string, number>>;
}

export interface NodeHealth {
  readonly nodeId: string;
  readonly bootId: number;
  readonly drives?: readonly DriveHealth[];
  readonly settledPodCount?: number;
  readonly openRequestCount?: number;
  readonly waitingRequestCount?: number;
  readonly heldBodyBytes?: number;
  readonly connectedNodeIds: readonly string[];
}

const PATIENCE_MS = 5000;

/** Resolves with null if the node does not answer. */
export async function askAdmin(
  port: number,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string } | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return null;
  }
}

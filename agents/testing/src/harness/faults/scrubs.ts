/** Scrub and damage of one drive, as its node reports them. */
import type { TestVault } from "../vault.ts";

export interface ScrubbedDrive {
  readonly address: string;
  readonly damage: {
    /** Null while the drive is not running. */
    readonly corruptCount: number | null;
    readonly corruptTotal: number;
  };
  readonly scrub: {
    readonly isOnDemand: boolean;
    readonly startedAtMs: number;
    readonly bytesVerified: number;
    readonly last: { readonly startedAtMs: number; readonly endedAtMs: number } | null;
  };
}

interface ScrubRequest {
  readonly bytesPerSecond: number;
  /** Drives of this vault to scrub. */
  readonly addresses: readonly string[];
}

/** Begins a round on these drives, or joins the one in progress there; returns what they report. */
export async function startScrubs(vault: TestVault, request: ScrubRequest): Promise<ScrubbedDrive[]> {
  const { bytesPerSecond, addresses } = request;
  return await askNodes(vault, (own) => {
    const drives = own.filter((address) => addresses.includes(address));
    if (drives.length === 0) return null;
    return {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ action: "start", bytesPerSecond, drives }),
    };
  });
}

/** Reads the reports of all drives whose nodes answer. */
export const readScrubs = (vault: TestVault): Promise<ScrubbedDrive[]> => askNodes(vault, () => ({}));

async function askNodes(
  vault: TestVault,
  request: (addresses: readonly string[]) => RequestInit | null,
): Promise<ScrubbedDrive[]> {
  const answers = await Promise.all(
    vault.file.nodes.map(async (node): Promise<readonly ScrubbedDrive[]> => {
      if (node.role === "coordinator") return [];
      const init = request(
        node.drives.map((drive) => ("pod" in drive ? `p${drive.pod}` : `s${drive.device}`)),
      );
      if (init === null) return [];
      const answer = await vault.askAdmin(node.id, "/scrub", init);
      return answer?.status === 200 ? (JSON.parse(answer.text) as { drives: ScrubbedDrive[] }).drives : [];
    }),
  );
  return answers.flat();
}

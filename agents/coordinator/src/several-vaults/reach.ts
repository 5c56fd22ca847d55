/** Watches whether vaults are reachable, since when, and how much space they have; lets new ones join. */
import { vaultCapacityBytes } from "@stashlight/node-runtime";
import type { VaultFile } from "@stashlight/node-runtime/config";
import type { Vault } from "../vault/vault.ts";
import type { VaultView } from "./desired-weights.ts";
import { join, type Member, troubleOfFirst } from "./membership.ts";

export interface ReachOptions {
  readonly sessions: readonly { readonly vault: Vault; readonly file: VaultFile }[];
  readonly members: readonly Member[];
  readonly nowMs: () => number;
}

interface State {
  isReachable: boolean;
  changedMs: number;
  hasJoined: boolean;
  trouble: string | null;
}

export class Reach {
  readonly #options: ReachOptions;
  readonly #states: readonly State[];

  constructor(options: ReachOptions) {
    this.#options = options;
    const changedMs = options.nowMs();
    this.#states = options.sessions.map(() => ({
      isReachable: false,
      changedMs,
      hasJoined: false,
      trouble: null,
    }));
  }

  /** Reason why the vault cannot be behind this endpoint; null if none is known. */
  troubleOf(vault: number): string | null {
    return this.#states[vault]?.trouble ?? null;
  }

  /** True if the vault has joined, as far as this process knows. */
  hasJoined(vault: number): boolean {
    return this.#states[vault]?.hasJoined === true;
  }

  views(): VaultView[] {
    const nowMs = this.#options.nowMs();
    return this.#options.sessions.map(({ vault, file }, at) => {
      const { isReachable, changedMs } = this.#look(at);
      const { freeBytes } = vault;
      return { isReachable, sinceMs: nowMs - changedMs, freeBytes, capacityBytes: vaultCapacityBytes(file) };
    });
  }

  #look(at: number): State {
    const state = this.#states[at] as State;
    const { vault } = this.#options.sessions[at] as ReachOptions["sessions"][number];
    const isReachable = state.hasJoined && vault.settledPodCount >= vault.neededPodCount;
    if (isReachable === state.isReachable) return state;
    state.isReachable = isReachable;
    state.changedMs = this.#options.nowMs();
    return state;
  }

  /** Asks vaults whether they belong behind this endpoint, if that is unknown. Rejects with a VaultError. */
  async turn(): Promise<void> {
    const { sessions, members } = this.#options;
    const [first] = members as [Member];
    const firstVault = (sessions[0] as ReachOptions["sessions"][number]).vault;
    const waiting = [...this.#states.entries()].filter(([, { hasJoined }]) => !hasJoined);
    await Promise.all(
      waiting.map(async ([at, state]) => {
        const { vault } = sessions[at] as ReachOptions["sessions"][number];
        if (vault.settledPodCount < vault.neededPodCount) return;
        state.trouble =
          at === 0
            ? await troubleOfFirst(vault)
            : await join(vault, members[at] as Member, { first, firstVault });
        state.hasJoined = state.trouble === null;
        this.#look(at);
      }),
    );
  }
}

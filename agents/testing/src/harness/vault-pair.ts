/** Two vaults of real processes behind one endpoint, that of the first. */
import { createClient, type S3Client, WITHOUT_RETRIES } from "./client.ts";
import { createTestVault, type TestVault, type TestVaultOptions } from "./vault.ts";
import { until } from "./wait-until.ts";

const MIB = 1_048_576;
const WITHIN_MS = 90_000;
/** An unreachable vault is passed over and used again quickly, and outdated versions are deleted quickly. */
const spread = { closeAfterMs: 500, graceMs: 2000, restMs: 50 };

export interface SpreadVaults {
  readonly vaults: readonly {
    readonly name: string;
    readonly isReachable: boolean;
    readonly trouble: string | null;
    readonly freeBytes: number;
    readonly capacityBytes: number;
    readonly newKeysShare: number;
  }[];
  readonly epochCount: number;
  readonly waitsFor: readonly string[];
}

export interface VaultPairOptions extends TestVaultOptions {
  /** Changes the second vault's file; `amend` changes the first one's. */
  readonly amendSecond?: TestVaultOptions["amend"];
}

export class VaultPair {
  readonly first: TestVault;
  readonly second: TestVault;
  readonly s3: S3Client;
  /** Client that does not retry, so it gets every refusal at once. */
  readonly impatient: S3Client;

  private constructor(first: TestVault, second: TestVault) {
    this.first = first;
    this.second = second;
    this.s3 = createClient(first);
    this.impatient = createClient(first, WITHOUT_RETRIES);
  }

  /** Creates both vaults without starting them. */
  static async create(options: VaultPairOptions = {}): Promise<VaultPair> {
    const { amend = (file) => file, amendSecond = (file) => file, ...others } = options;
    const volumes = {
      podVolume: { segmentBytes: 4 * MIB, segmentCount: 10 },
      stashVolume: { segmentBytes: MIB, segmentCount: 8 },
    };
    const common = { ...volumes, ...others, podNodeCount: 1, stashNodeCount: 1, drivesPerStashNode: 3 };
    const second = await createTestVault({
      ...common,
      amend: (file) => amendSecond({ ...file, name: "second" }),
    });
    const args = ["--config", second.configPath];
    const first = await createTestVault({
      ...common,
      args,
      amend: (file) => amend({ ...file, spread, name: "first" }),
    });
    return new VaultPair(first, second);
  }

  /** Leaves out the second vault's coordinator, which runs as part of the first's. */
  get secondNodeIds(): string[] {
    return [...this.second.nodeIdsOf("pod"), ...this.second.nodeIdsOf("stash")];
  }

  async startFirst(): Promise<void> {
    this.first.start(this.first.nodeIds, { mayFormat: true });
    await this.first.ready();
  }

  async startSecond(): Promise<void> {
    this.second.start(this.secondNodeIds, { mayFormat: true });
    await this.second.ready(this.secondNodeIds);
  }

  async status(): Promise<SpreadVaults | null> {
    const answer = await this.first.askAdmin("coordinator-1", "/vaults");
    return answer === null ? null : (JSON.parse(answer.text) as SpreadVaults);
  }

  /** Resolves when exactly these vaults get new keys. */
  async untilOpen(names: readonly string[]): Promise<void> {
    const isSo = async () => {
      const open = (await this.status())?.vaults.flatMap(({ name, newKeysShare }) =>
        newKeysShare > 0 ? [name] : [],
      );
      return open !== undefined && String(open) === String(names);
    };
    await until(`new keys go to ${names.join(" and ")}`, isSo, WITHIN_MS, () => this.status());
  }

  output(): string {
    return `${this.first.output()}\n${this.second.output()}`;
  }

  async close(): Promise<void> {
    this.s3.destroy();
    this.impatient.destroy();
    await Promise.all([this.first.close(), this.second.close()]);
  }
}

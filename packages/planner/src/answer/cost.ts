/**
 * Cost of a pool, and its savings compared with a vault that keeps the same data on SSDs alone, which needs no stash.
 * Prices are the list prices of the input; power, racks and people are excluded on both sides. The installed pool costs
 * what a similar pool would cost today, with its drives at the plan's price per byte if they have another size.
 */

import { YEAR_SECONDS } from "@stashlight/contracts/time";
import { meanOverMix, splitMix } from "../sizing/mix.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";
import type { Pool } from "./pool.ts";

const TB = 1e12;

export interface PlanCost {
  /** drives x price of a drive. */
  readonly drivesUsd: number;
  /** servers x price of a server without drives. */
  readonly serversUsd: number;
  readonly totalUsd: number;
  /** Clients' data, without parity, that reaches the stash during its service life at the plan's mean load. */
  readonly landedBytes: number;
  readonly usdPerTbLanded: number;
  /** vaultBytes x n/k: bytes of the vault's data on pods. */
  readonly vaultRawBytes: number;
  readonly hddVaultUsd: number;
  /** Cost of pods on HDD, and the stash in front of them. */
  readonly hddVaultWithStashUsd: number;
  /** Cost of the same bytes at the drive's price per byte. */
  readonly allSsdVaultUsd: number;
  /** Ratio of the vault's cost on SSDs alone to that of the compared pool; null if the pool costs nothing. */
  readonly allSsdRatio: number | null;
  /** Share of the stash in the cost of HDD vault and stash; null if that is zero. */
  readonly stashShare: number | null;
}

export function poolCost(input: StashPlanInput, plan: StashPlan, pool: Pool): PlanCost {
  const { drive, dataShards, parityShards } = input;
  const drivesUsd = pool.drives * drive.priceUsd * (pool.drive.capacityBytes / drive.capacityBytes);
  const serversUsd = pool.servers * input.serverPriceUsd;
  const totalUsd = drivesUsd + serversUsd;
  const landedBytes =
    plan.load.uploadsPerSecond *
    meanOverMix(splitMix(input).small, (bytes) => bytes) *
    YEAR_SECONDS *
    input.serviceYears;
  const vaultRawBytes = (input.vaultBytes * (dataShards + parityShards)) / dataShards;
  const hddVaultUsd = (vaultRawBytes / TB) * input.hddPriceUsdPerTb;
  const hddVaultWithStashUsd = hddVaultUsd + totalUsd;
  const allSsdVaultUsd = (vaultRawBytes / drive.capacityBytes) * drive.priceUsd;
  return {
    drivesUsd,
    serversUsd,
    totalUsd,
    landedBytes,
    usdPerTbLanded: totalUsd / (landedBytes / TB),
    vaultRawBytes,
    hddVaultUsd,
    hddVaultWithStashUsd,
    allSsdVaultUsd,
    allSsdRatio: hddVaultWithStashUsd > 0 ? allSsdVaultUsd / hddVaultWithStashUsd : null,
    stashShare: hddVaultWithStashUsd > 0 ? totalUsd / hddVaultWithStashUsd : null,
  };
}

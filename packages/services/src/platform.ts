/** Resources of a process that serves pages or runs jobs: the core, sign-in, merging of answers and computation. */
import type { MetricClient } from "@stashlight/db/metrics";
import type { Auth } from "./auth/auth.ts";
import { openDiscovery } from "./auth/oidc-discovery.ts";
import type { OidcOptions } from "./auth/options.ts";
import type { WithSignIn } from "./auth/sign-in.ts";
import type { BaseOptions } from "./base.ts";
import { Calculator, type WithCalculator } from "./benchmark-result/calculator.ts";
import { openCore } from "./core.ts";
import { type WithLiveAnswers, withLiveAnswers } from "./metrics/query/live-answer-cache.ts";
import { withMerger } from "./metrics/query/merger.ts";
import { allowedNetworks } from "./outbound/allowed.ts";

export interface PlatformOptions extends BaseOptions {
  oidc: OidcOptions | null;
}

export interface Platform extends WithLiveAnswers, WithCalculator, WithSignIn {
  readonly options: PlatformOptions;
}

export function openPlatform(options: PlatformOptions): Platform {
  const core = withLiveAnswers(withMerger(openCore(options)));
  const { db, metrics, now } = core;
  const { secret, publicUrl, oidc } = options;
  const discovery =
    oidc === null ? null : openDiscovery(oidc.issuer, () => readAllowedNetworks(oidc, metrics), now);
  let loading: Promise<Auth> | undefined;
  const load = async () => {
    try {
      const { createAuth } = await import("./auth/auth.ts");
      return createAuth({ db, secret, publicUrl, oidc, discovery, now });
    } catch (error) {
      // The next caller tries again.
      loading = undefined;
      throw error;
    }
  };
  const auth = () => {
    loading ??= load();
    return loading;
  };
  const calculator = new Calculator();
  const close = async () => {
    await Promise.all([core.close(), calculator.close()]);
  };
  return { ...core, options, calculator, auth, discovery, close };
}

/** Configuring the provider's address does not allow its network; an option or an admin does. */
async function readAllowedNetworks(oidc: OidcOptions, metrics: MetricClient): Promise<string[]> {
  return [...oidc.allowedNetworks, ...(await allowedNetworks({ metrics }))];
}

import type { NextConfig } from "next";

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // `pnpm verify` checks types; the build only builds.
  typescript: { ignoreBuildErrors: true },
  transpilePackages: ["@stashlight/contracts", "@stashlight/ui"],
  // Node runs the server side as it is, once a process: bundled, pages and route handlers would each get a copy,
  // with a transaction scope and error classes of their own.
  serverExternalPackages: ["@stashlight/api", "pino"],
};

export default config;

import type { Role } from "@stashlight/contracts/user";
import type { Context } from "@stashlight/services/context";
import type { Platform } from "@stashlight/services/platform";

/** A user who views charts. */
export const createViewer = (platform: Platform): Context<Platform> => ({
  platform,
  principal: {
    userId: "bench",
    sessionId: "bench",
    email: "bench@example.org",
    name: "bench",
    role: "viewer" satisfies Role,
    twoFactorEnabled: false,
    timeZone: null,
  },
  origin: { ipAddress: "127.0.0.1", userAgent: "bench" },
});

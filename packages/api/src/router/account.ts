import {
  changePasswordInput,
  confirmPasswordInput,
  sessionIdInput,
  totpCodeInput,
  updateProfileInput,
} from "@stashlight/contracts";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endSession,
  getSettings,
  renewBackupCodes,
  startTotp,
  updateProfile,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

/** The signed-in person's own settings. */
export const accountRouter = router({
  settings: procedure.query(({ ctx: { ctx } }) => getSettings({ ctx })),
  updateProfile: procedure
    .input(updateProfileInput)
    .mutation(({ ctx: { ctx }, input }) => updateProfile({ ctx, input })),
  changePassword: procedure
    .input(changePasswordInput)
    .mutation(({ ctx: { ctx }, input }) => changePassword({ ctx, input })),
  endSession: procedure
    .input(sessionIdInput)
    .mutation(({ ctx: { ctx }, input }) => endSession({ ctx, input })),
  startTotp: procedure.input(confirmPasswordInput).mutation(({ ctx, input }) => startTotp({ ...ctx, input })),
  confirmTotp: procedure.input(totpCodeInput).mutation(({ ctx, input }) => confirmTotp({ ...ctx, input })),
  disableTotp: procedure
    .input(confirmPasswordInput)
    .mutation(({ ctx, input }) => disableTotp({ ...ctx, input })),
  renewBackupCodes: procedure
    .input(confirmPasswordInput)
    .mutation(({ ctx, input }) => renewBackupCodes({ ...ctx, input })),
});

import {
  changePasswordInput,
  confirmPasswordInput,
  hideFirstStepsInput,
  sessionIdInput,
  totpCodeInput,
  updateProfileInput,
} from "@stashlight/contracts/user";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endSession,
  getSettings,
  renewBackupCodes,
  startTotp,
  updateProfile,
} from "@stashlight/services/account";
import { hideFirstSteps, readFirstSteps } from "@stashlight/services/first-steps";
import { mutationWith, query, router } from "../trpc.ts";

/** The signed-in user's own settings. */
export const accountRouter = router({
  settings: query(getSettings),
  updateProfile: mutationWith(updateProfileInput, updateProfile),
  changePassword: mutationWith(changePasswordInput, changePassword),
  endSession: mutationWith(sessionIdInput, endSession),
  startTotp: mutationWith(confirmPasswordInput, startTotp),
  confirmTotp: mutationWith(totpCodeInput, confirmTotp),
  disableTotp: mutationWith(confirmPasswordInput, disableTotp),
  renewBackupCodes: mutationWith(confirmPasswordInput, renewBackupCodes),
  firstSteps: query(readFirstSteps),
  hideFirstSteps: mutationWith(hideFirstStepsInput, hideFirstSteps),
});

import {
  acceptInvitationInput,
  completeSetupInput,
  describeLinkInput,
  resetPasswordInput,
} from "@stashlight/contracts/user";
import { describeLink } from "@stashlight/services/link";
import { completeSetup } from "@stashlight/services/setup";
import { acceptInvitation, resetPassword } from "@stashlight/services/user";
import { mutationWith, router } from "../trpc.ts";

/**
 * Actions of the holder of a secret link, who need not be signed in. All are mutations, which keeps tokens out of URLs.
 */
export const linkRouter = router({
  describe: mutationWith(describeLinkInput, describeLink),
  completeSetup: mutationWith(completeSetupInput, completeSetup),
  acceptInvitation: mutationWith(acceptInvitationInput, acceptInvitation),
  resetPassword: mutationWith(resetPasswordInput, resetPassword),
});

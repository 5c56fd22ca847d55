import {
  acceptInvitationInput,
  completeSetupInput,
  describeLinkInput,
  resetPasswordInput,
} from "@stashlight/contracts";
import { acceptInvitation, completeSetup, describeLink, resetPassword } from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

/** What the holder of a secret link may do without being signed in. Mutations throughout: tokens stay out of URLs. */
export const linkRouter = router({
  describe: procedure
    .input(describeLinkInput)
    .mutation(({ ctx: { ctx }, input }) => describeLink({ ctx, input })),
  completeSetup: procedure
    .input(completeSetupInput)
    .mutation(({ ctx: { ctx }, input }) => completeSetup({ ctx, input })),
  acceptInvitation: procedure
    .input(acceptInvitationInput)
    .mutation(({ ctx: { ctx }, input }) => acceptInvitation({ ctx, input })),
  resetPassword: procedure
    .input(resetPasswordInput)
    .mutation(({ ctx: { ctx }, input }) => resetPassword({ ctx, input })),
});

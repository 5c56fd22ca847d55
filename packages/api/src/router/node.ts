import {
  createEnrolmentTokenInput,
  enrolmentTokenIdInput,
  nodeIdInput,
  revokeNodeInput,
} from "@stashlight/contracts/node";
import {
  acceptInvitationInput,
  completeSetupInput,
  describeLinkInput,
  resetPasswordInput,
} from "@stashlight/contracts/user";
import { describeLink } from "@stashlight/services/link";
import {
  approveNode,
  createEnrolmentToken,
  getNode,
  listEnrolmentTokens,
  listNodes,
  listSilences,
  revokeEnrolmentToken,
  revokeNode,
  rotateNodeKey,
} from "@stashlight/services/node";
import { completeSetup } from "@stashlight/services/setup";
import { acceptInvitation, resetPassword } from "@stashlight/services/user";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const nodeRouter = router({
  list: query(listNodes),
  listSilences: query(listSilences),
  get: queryWith(nodeIdInput, getNode),
  approve: mutationWith(nodeIdInput, approveNode),
  revoke: mutationWith(revokeNodeInput, revokeNode),
  rotateKey: mutationWith(nodeIdInput, rotateNodeKey),
  listTokens: query(listEnrolmentTokens),
  createToken: mutationWith(createEnrolmentTokenInput, createEnrolmentToken),
  revokeToken: mutationWith(enrolmentTokenIdInput, revokeEnrolmentToken),
});

/**
 * Actions of the holder of a secret link, who need not be signed in. All are mutations, which keeps tokens out of URLs.
 */
export const linkRouter = router({
  describe: mutationWith(describeLinkInput, describeLink),
  completeSetup: mutationWith(completeSetupInput, completeSetup),
  acceptInvitation: mutationWith(acceptInvitationInput, acceptInvitation),
  resetPassword: mutationWith(resetPasswordInput, resetPassword),
});

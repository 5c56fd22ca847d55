import {
  createEnrolmentTokenInput,
  enrolmentTokenIdInput,
  nodeIdInput,
  revokeNodeInput,
} from "@stashlight/contracts/node";
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

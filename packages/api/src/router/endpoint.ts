import {
  createEndpointInput,
  deleteEndpointInput,
  endpointIdInput,
  rotateEndpointCredentialsInput,
  updateEndpointInput,
} from "@stashlight/contracts";
import {
  checkEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateEndpointCredentials,
  updateEndpoint,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const endpointRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listEndpoints({ ctx })),
  create: procedure
    .input(createEndpointInput)
    .mutation(({ ctx: { ctx }, input }) => createEndpoint({ ctx, input })),
  update: procedure
    .input(updateEndpointInput)
    .mutation(({ ctx: { ctx }, input }) => updateEndpoint({ ctx, input })),
  rotateCredentials: procedure
    .input(rotateEndpointCredentialsInput)
    .mutation(({ ctx: { ctx }, input }) => rotateEndpointCredentials({ ctx, input })),
  delete: procedure
    .input(deleteEndpointInput)
    .mutation(({ ctx: { ctx }, input }) => deleteEndpoint({ ctx, input })),
  check: procedure
    .input(endpointIdInput)
    .mutation(({ ctx: { ctx }, input }) => checkEndpoint({ ctx, input })),
});

import {
  createEndpointInput,
  deleteEndpointInput,
  endpointIdInput,
  rotateEndpointCredentialsInput,
  updateEndpointInput,
} from "@stashlight/contracts/endpoint";
import {
  checkEndpoint,
  createEndpoint,
  deleteEndpoint,
  duplicateEndpoint,
  listDeniedEndpoints,
  listEndpoints,
  rotateEndpointCredentials,
  updateEndpoint,
} from "@stashlight/services/endpoint";
import { mutationWith, query, router } from "../trpc.ts";

export const endpointRouter = router({
  list: query(listEndpoints),
  listDenied: query(listDeniedEndpoints),
  create: mutationWith(createEndpointInput, createEndpoint),
  update: mutationWith(updateEndpointInput, updateEndpoint),
  rotateCredentials: mutationWith(rotateEndpointCredentialsInput, rotateEndpointCredentials),
  duplicate: mutationWith(endpointIdInput, duplicateEndpoint),
  delete: mutationWith(deleteEndpointInput, deleteEndpoint),
  check: mutationWith(endpointIdInput, checkEndpoint),
});

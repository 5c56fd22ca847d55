export {
  credentialsProblem,
  type EndpointCredentials,
  endpointCredentialsSchema,
  parseServiceAccount,
  parseSharedAccessSignature,
  type ServiceAccount,
} from "./credentials.ts";
export {
  createEndpointInput,
  deleteEndpointInput,
  type EndpointAddressing,
  type EndpointCheck,
  type EndpointFinding,
  type EndpointRow,
  endpointAddressings,
  endpointIdInput,
  endpointLabels,
  endpointPlaceSchema,
  type PriceList,
  priceListSchema,
  rotateEndpointCredentialsInput,
  updateEndpointInput,
} from "./endpoint.ts";
export { endpointKinds, isS3Kind, type StoreKind, storeKinds } from "./endpoint-kind.ts";

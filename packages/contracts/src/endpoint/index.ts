export * from "./credentials.ts";
export * from "./endpoint.ts";
export { endpointKinds, isS3Kind, type StoreKind, storeKinds } from "./endpoint-kind.ts";

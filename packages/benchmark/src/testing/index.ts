export { findServer } from "./independent-servers.ts";
export {
  type IndependentStore,
  openAzuriteStore,
  openFakeGcsStore,
  openVersityStore,
} from "./independent-stores.ts";
export { compareWithRawSocket, type RawComparison } from "./raw-socket.ts";
export { createTestJob, TEST_CREDENTIALS, testTarget } from "./test-job.ts";
export {
  startTruthServer,
  type TruthFault,
  type TruthRecord,
  type TruthServer,
  type TruthServerOptions,
} from "./truth-server.ts";

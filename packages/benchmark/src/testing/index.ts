export { createTestJob, TEST_CREDENTIALS, testTarget } from "./test-job.ts";
export {
  startTruthServer,
  type TruthFault,
  type TruthRecord,
  type TruthServer,
  type TruthServerOptions,
} from "./truth-server.ts";

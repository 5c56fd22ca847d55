/** True for `npm run test:long`: faults last longer, and each stage of an operation is killed. */
export const isLong = process.env.STASHLIGHT_TEST_LONG === "1";

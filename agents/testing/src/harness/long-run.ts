/** `npm run test:long`, which takes its time: faults last longer, and each stage of an operation is killed. */
export const isLong = process.env.STASHLIGHT_TEST_LONG === "1";

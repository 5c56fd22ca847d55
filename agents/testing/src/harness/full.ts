/** `npm run test:full`, which takes its time: faults last longer, and each stage of an operation is killed. */
export const isFull = process.env.STASHLIGHT_TEST_FULL === "1";

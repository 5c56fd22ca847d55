/** The timing client beside a bare socket, in a separate process; prints its results as JSON. */
import { compareWithRawSocket, testTarget } from "@stashlight/benchmark/testing";

const { url, caPem, ...options } = JSON.parse(process.argv[2] ?? "{}");
process.stdout.write(JSON.stringify(await compareWithRawSocket(testTarget(url, { caPem }), options)));

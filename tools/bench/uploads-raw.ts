/** The timing client beside a bare socket, in a process of its own; prints what it measured as JSON. */
import { compareWithRawSocket, testTarget } from "@stashlight/benchmark/testing";

const { url, caPem, ...options } = JSON.parse(process.argv[2] ?? "{}");
process.stdout.write(JSON.stringify(await compareWithRawSocket(testTarget(url, { caPem }), options)));

/** Sends back what it is sent, until the process that started it is gone; tells that process its port. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.pipe(socket);
  socket.on("error", () => socket.destroy());
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.on("disconnect", () => process.exit());
process.send?.((server.address() as AddressInfo).port);

/** Echoes its input, until its parent process is gone; sends its port to that process. */
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

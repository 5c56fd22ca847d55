/** Loaded before a process for tests (`--import`): whatever asks for the ORM there fails, and says who asked. */
import { registerHooks } from "node:module";

const orm = /\/packages\/db\/src\/generated\/|\/@prisma\//;

registerHooks({
  load: (url, context, nextLoad) => {
    if (orm.test(url)) throw new Error(`The ORM was loaded: ${url}`);
    return nextLoad(url, context);
  },
});

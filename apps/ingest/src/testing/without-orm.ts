/** Preloaded in tests (`--import`): makes an import of the ORM fail, and names the importer. */
import { registerHooks } from "node:module";

const orm = /\/packages\/db\/src\/generated\/|\/@prisma\//;

registerHooks({
  load: (url, context, nextLoad) => {
    if (orm.test(url)) throw new Error(`The ORM was loaded: ${url}`);
    return nextLoad(url, context);
  },
});

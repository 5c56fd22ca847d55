/**
 * The bundled program without its parts, each of which is a compressed module. A part is unpacked and compiled when
 * something first requires it: the parser needs ten times the memory of what it reads, and an agent uses a third of the
 * program.
 */
const { createRequire } = require("node:module");
const { Script, constants } = require("node:vm");
const { inflateRawSync } = require("node:zlib");

const requireFromNode = createRequire(__filename);
const modules = new Map();
const parts = {
  // The bundler writes them here.
};

function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const text = inflateRawSync(Buffer.from(parts[name](), "base64")).toString("latin1");
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {"use strict";${text}\n})`,
    {
      filename: `${__filename}/${name}`,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  const requirePart = (id) => (id.startsWith("./") ? load(id.slice(2)) : requireFromNode(id));
  script.runInThisContext()(module.exports, requirePart, module, __filename, __dirname);
  return module.exports;
}

load("main.cjs");

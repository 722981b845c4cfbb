#!/usr/bin/env node
// One process either way: in the repository the source runs with the `turnseal-source` condition, in an installed
// package the build does. A child process would hide the real one from signals.
import { existsSync, readFileSync } from "node:fs";
// As a whole: an older Node has no `registerHooks`, and could not even say what is wrong.
import * as modules from "node:module";
import { fileURLToPath } from "node:url";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const wanted = engines.node.replace(">=", "");
const [major, minor] = wanted.split(".").map(Number);
const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  process.stderr.write(
    `error: turnseal needs Node ${wanted} or newer, and this is ${process.versions.node}\n` +
      "  next: install it from https://nodejs.org, and see that node --version says so\n",
  );
  process.exit(1);
}

// Compiling is most of a start, and is done once. What was compiled lies beside the code, never in a folder that
// others share: whoever may write there could change the code as well. Where nobody may, every start compiles.
modules.enableCompileCache(
  fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
);

const source = new URL("../src/main.ts", import.meta.url);

if (existsSync(source)) {
  modules.registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, {
        ...context,
        conditions: ["turnseal-source", ...context.conditions],
      }),
  });
  await import(source.href);
} else {
  await import("../dist/main.js");
}

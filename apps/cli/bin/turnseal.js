#!/usr/bin/env node
// One process either way: in the repository the source runs with the `turnseal-source` condition, in an installed
// package the build does. A child process would hide the real one from signals.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";

const source = new URL("../src/main.ts", import.meta.url);

if (existsSync(source)) {
  registerHooks({
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

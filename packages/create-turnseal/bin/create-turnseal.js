#!/usr/bin/env node
// `npm create turnseal <folder>` is `turnseal init <folder>`, without having it installed.
process.argv.splice(2, 0, "init");
await import("turnseal/command");

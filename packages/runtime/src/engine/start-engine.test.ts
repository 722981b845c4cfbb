// How an engine is started in vain, with programs in its place; a real one is started in e2e.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProcessStart } from "@turnseal/adapters/fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findProcess } from "./process-file.ts";
import { endLeftEngine, startEngine } from "./start-engine.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-engine-"));
  // Packages beside the project win over packages beside the command.
  vi.spyOn(process, "cwd").mockReturnValue(root);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

function install(script: string, mode = 0o755): void {
  const scope = join(root, "node_modules", "@restatedev");
  const platform = join(scope, `restate-server-${process.platform}-${process.arch}`);
  for (const folder of [join(scope, "restate-server"), join(platform, "bin")])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(scope, "restate-server", "package.json"), "{}");
  writeFileSync(join(platform, "bin", "restate-server"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(platform, "bin", "restate-server"), mode);
}

/** Ports that nothing listens on. */
const ports = { ingress: 1, admin: 2, node: 3 };
const start = (stop = new AbortController().signal) =>
  startEngine({ folder: join(root, "data"), ports, stop });

test("one that nobody wants any more is not waited for, and can be ended", async () => {
  install("exec sleep 60");
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const engine = await start(stop.signal);
  expect(await findProcess(join(root, "data"))).toBe(engine.pid);
  await engine.stop();
  await engine.ended;
  expect(await findProcess(join(root, "data"))).toBeUndefined();
});

test("one that ends is said to have ended, and is forgotten", async () => {
  install("exit 7");
  await expect(start()).rejects.toThrow(/exited with code 7: see .*engine\.log/);
  expect(await findProcess(join(root, "data"))).toBeUndefined();
});

test("one that cannot be executed is named", async () => {
  install("exit 0", 0o644);
  await expect(start()).rejects.toThrow(/the engine cannot be started: .*restate-server/);
});

test("one that was left behind is ended", async () => {
  install("exec sleep 60");
  const left = await start(AbortSignal.abort());
  await endLeftEngine(join(root, "data"));
  await left.ended;
  expect(readProcessStart(left.pid)).toBeUndefined();
});

test("one that is killed is gone at once, and is forgotten", async () => {
  install("trap '' TERM; exec sleep 60");
  const engine = await start(AbortSignal.abort());
  expect(engine.isUp()).toBe(true);
  await engine.kill();
  expect(engine.isUp()).toBe(false);
  expect(readProcessStart(engine.pid)).toBeUndefined();
  expect(await findProcess(join(root, "data"))).toBeUndefined();
  // Killed again, nothing happens.
  await engine.kill();
});

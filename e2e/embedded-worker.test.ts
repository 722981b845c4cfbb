// The example that embeds a worker, as a process of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { greet } from "../examples/embedded-worker/loops.ts";
import { type DurableWorld, openDurableWorld, TENANT } from "./durable-world.ts";

const program = fileURLToPath(new URL("../examples/embedded-worker/main.ts", import.meta.url));

let world: DurableWorld;
let worker: ChildProcess;
let folder: string;

beforeAll(async () => {
  world = await openDurableWorld({ loops: [greet] });
  folder = mkdtempSync(join(tmpdir(), "turnseal-embedded-"));
});
afterAll(async () => {
  worker?.kill("SIGKILL");
  await world?.close();
  rmSync(folder, { recursive: true });
});

test("a program of one's own carries runs, and ends what it began when it is told to", async () => {
  worker = spawn(process.execPath, ["--conditions=turnseal-source", program], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...{ PATH: process.env["PATH"], TURNSEAL_POSTGRES_URL: world.databaseUrl },
      ...{ TURNSEAL_TENANT: TENANT, ENGINE_ADMIN: world.engine().admin },
      ENGINE_KEY: world.engine().identityKey,
    },
  });
  let said = "";
  worker.stdout?.on("data", (text) => {
    said += text;
  });
  await world.until(async () => (said.includes("worker.deployed") ? true : undefined));
  const grant = { grantor: "ada", tools: ["local.greet"], budget: {} };
  const run = await world.host.start(greet, { name: "Ada" }, { grant });
  expect(await world.stoppedOf(run)).toBe("goal-reached");
  worker.kill("SIGTERM");
  expect((await once(worker, "exit"))[0]).toBe(0);
  const last = JSON.parse(said.trim().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ what: "worker.stopped", isEnded: true });
  // Names and counts only.
  expect(said).not.toContain("Ada");
});

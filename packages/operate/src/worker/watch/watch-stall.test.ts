// Real processes: what ends them can be seen from outside alone.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { STALLED_EXIT_CODE } from "./stall-thread.ts";

const STALL_MS = 500;
const watchStall = fileURLToPath(new URL("./watch-stall.ts", import.meta.url));

/** A process that watches itself, and notes `act` as the tool of a run. */
function start(act: string, { flags = [] }: { readonly flags?: readonly string[] } = {}) {
  const script = `
    import { AsyncLocalStorage } from "node:async_hooks";
    import { execSync } from "node:child_process";
    import { setTimeout as sleep } from "node:timers/promises";
    const { watchStall } = await import(${JSON.stringify(watchStall)});
    const place = new AsyncLocalStorage();
    const watch = watchStall({ stallMaxMs: ${STALL_MS}, placeOf: () => place.getStore() });
    const during = (tool, act) =>
      place.run({ run: "r", tool }, () => watch.during(place.getStore(), act));
    await sleep(${STALL_MS});
    console.log("begins");
    const beside = during("local.rest", () => sleep(30_000));
    await during("local.act", async () => { ${act} });
    console.log("done");
    process.exit(0);
  `;
  const args = [...flags, "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const ended = new Promise<{ end: number | string | null; lines: string[] }>((resume) =>
    child.on("close", (code, signal) =>
      resume({ end: code ?? signal, lines: out.trim().split("\n").slice(1) }),
    ),
  );
  return { child, ended, out: () => out };
}

test.each([
  ["a loop without an end", "for (;;);"],
  ["a loop after it has waited", "await sleep(10); for (;;);"],
  ["a pattern without an end", `/^(a+)+$/.test("a".repeat(64) + "b");`],
])("%s ends the process, and the log names the tool", async (_, act) => {
  const { end, lines } = await start(act).ended;
  expect(end).toBe(STALLED_EXIT_CODE);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    ...{ level: "error", what: "worker.stalled", run: "r", tool: "local.act" },
    stallMaxMs: STALL_MS,
  });
});

test("native code that does not come back ends it too, and all that acted are named", async () => {
  const { end, lines } = await start(`execSync("sleep 20");`).ended;
  expect(end).toBe("SIGKILL");
  const tools = lines.map((line) => JSON.parse(line).tool);
  expect(tools.sort()).toEqual(["local.act", "local.rest"]);
}, 20_000);

test("a tool that gives the event loop back in time is let go on", async () => {
  const busy = `for (const endMs = Date.now() + ${STALL_MS / 2}; Date.now() < endMs; );`;
  const { end, lines } = await start(`${busy} await sleep(200); ${busy}`).ended;
  expect({ end, lines }).toEqual({ end: 0, lines: ["done"] });
});

test("a process that was suspended as a whole has not stalled", async () => {
  const { child, ended, out } = start("await sleep(1_000);");
  while (!out().includes("begins")) await sleep(20);
  child.kill("SIGSTOP");
  await sleep(3 * STALL_MS);
  child.kill("SIGCONT");
  expect((await ended).lines).toEqual(["done"]);
});

test("a process with a debugger is not watched", async () => {
  const busy = `for (const endMs = Date.now() + ${3 * STALL_MS}; Date.now() < endMs; );`;
  const { lines } = await start(busy, { flags: ["--inspect=127.0.0.1:0"] }).ended;
  expect(lines).toEqual(["done"]);
});

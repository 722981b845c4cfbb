/**
 * The screens of the command in a real terminal of two sizes, compared with screens that people
 * reviewed. Review a changed screen again, and then take it with `npx vitest run proofs/screens
 * -u`.
 *
 * The terminal is that of tmux: without it this fails.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { listCommands, SHOWN, writeLoops } from "./commands.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-screens-"));
writeLoops(root);
const run = promisify(execFile);
const tmux = async (...args: readonly string[]): Promise<string> =>
  (await run("tmux", ["-L", `turnseal-screens-${process.pid}`, ...args])).stdout;

afterAll(async () => {
  await tmux("kill-server").catch(() => {});
  rmSync(root, { recursive: true });
});

test.each(["80x24", "120x40"])("the command at %s", async (size) => {
  const screens = await collectScreens(size);
  const columns = Number(size.split("x")[0]);
  for (const row of screens.flatMap((screen) => screen.split("\n")))
    expect(row.length).toBeLessThanOrEqual(columns);
  const shown = listCommands(".").map(
    (command, at) => `$ turnseal ${command.join(" ")}\n${steady(screens[at] ?? "")}\n`,
  );
  await expect(shown.join("\n")).toMatchFileSnapshot(`screens/${size}.txt`);
});

/** Collects the screen after each command, with the lines that scrolled off at the top. */
async function collectScreens(size: string): Promise<string[]> {
  const [columns = "", rows = ""] = size.split("x");
  const draw = `node --no-warnings --conditions=turnseal-source proofs/screens/draw-screens.ts`;
  const begin = `cd ${repository} && ${draw} ${root} ${join(root, size)}`;
  await tmux("new-session", "-d", "-s", size, "-x", columns, "-y", rows, begin);
  const screens: string[] = [];
  for (const _ of listCommands(root)) {
    screens.push(await readScreen(size));
    await tmux("send-keys", "-t", size, "Enter");
  }
  return screens;
}

async function readScreen(size: string): Promise<string> {
  for (;;) {
    const text = await tmux("capture-pane", "-p", "-t", size, "-S", "-");
    const end = text.indexOf(`${SHOWN}\n`);
    if (end !== -1) return text.slice(0, end).trimEnd();
    await wait(20);
  }
}

/** Replaces texts that vary by fixed ones of the same length. */
function steady(text: string): string {
  return text
    .replaceAll(root, ".")
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, RUN)
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2026-01-31T00:00:00.000Z")
    .replaceAll(/\b\d{4}-\d\d-\d\d(?!T)/g, "2026-01-31")
    .replaceAll(/(?<![\d:T])\d\d:\d\d(?![\d:])/g, "12:00")
    .replaceAll(/(?<=sha256:)[0-9a-f]+(\n +[0-9a-f]+$)?/gm, (digest) =>
      digest.replaceAll(/[0-9a-f]/g, "0"),
    )
    .replaceAll(/(?<![\w:-])(?=[0-9a-f]*\d)[0-9a-f]{8}(?![\w-])/g, "0badcafe")
    .replaceAll(/ +[\d.]+ m?s$/gm, "  … ms")
    .replaceAll(new RegExp(`\\b${userInfo().username}\\b`, "g"), "ada");
}

const RUN = "0badcafe-0000-4000-8000-000000000000";

// A process that edits a file is killed at any moment: no edit is lost, made twice or half made.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace } from "../agent-desk.test.data.ts";

const PROGRAM = fileURLToPath(new URL("edit-life.test.process.ts", import.meta.url));
const EDITS = 24;
const KILLS = 6;
/** Large, so that a write takes a while. */
const PAD = "p".repeat(2_000_000);

let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  writeFileSync(join(place.folder, "a.txt"), `end\n${PAD}`);
});
afterEach(() => place.remove());

/** Lives until it is killed, so long after its third request, or until it is done. */
async function live(killAfterMs?: number): Promise<string> {
  const flags = ["--conditions=turnseal-source", PROGRAM, join(place.folder, ".."), String(EDITS)];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let said = "";
  let isKilled = false;
  child.stdout.on("data", (part: Buffer) => {
    said += part.toString();
    if (isKilled || killAfterMs === undefined || said.split("round").length < 4) return;
    isKilled = true;
    void setTimeout(killAfterMs).then(() => child.kill("SIGKILL"));
  });
  await closed;
  return said.trim().split("\n").at(-1) ?? "";
}

test("killed at any moment", { timeout: 120_000 }, async () => {
  const made = new Set<number>();
  for (let kill = 0; kill < KILLS; kill++) {
    await live(kill * 6);
    const text = readFileSync(join(place.folder, "a.txt"), "utf8");
    expect(/^(x )*end\np{2000000}$/.test(text), `after kill ${kill}`).toBe(true);
    made.add(text.indexOf("end") / 2);
  }
  // Some were killed between two edits, or within one.
  expect([...made].filter((edits) => edits > 0 && edits < EDITS).length).toBeGreaterThan(1);
  expect(await live()).toBe("goal-reached");
  const text = readFileSync(join(place.folder, "a.txt"), "utf8");
  expect(text.slice(0, text.indexOf("\n"))).toBe(`${"x ".repeat(EDITS)}end`);
  // A draft of a process that was killed may be left, and is no file of anybody.
  const names = readdirSync(place.folder).filter((name) => !name.startsWith(".turnseal-draft-"));
  expect(names).toEqual(["a.txt"]);
});

// Another process exchanges a folder while an agent reads, searches and writes in it. No file
// outside is read or changed. `TURNSEAL_RACE_ROUNDS=10000` takes as many rounds.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, openDesk } from "../agent-desk.test.data.ts";
import { grantTerms } from "../terms/grant-terms.ts";
import { fileTools } from "./file-tools.ts";

const ROUNDS = Number(process.env["TURNSEAL_RACE_ROUNDS"] ?? 120);
let place: ReturnType<typeof createPlace>;
beforeEach(() => {
  place = createPlace();
  mkdirSync(join(place.folder, "d"));
  writeFileSync(join(place.folder, "d/a"), "inside\n");
  writeFileSync(join(place.outside, "a"), "secret\n");
});
afterEach(() => place.remove());

/** Programs that exchange and restore without an end. */
const RACES = {
  link: `for (;;) exchange("d", "away", outside);`,
  rename: `for (;;) exchange("d", "../carried", "../carried");`,
  case: `for (;;) exchange("d", "D", outside);`,
  file: `for (;;) exchange("d/a", "d/b", outside + "/a");`,
};
const HANDS = `
const { renameSync, rmSync, symlinkSync, writeSync } = require("node:fs");
const [outside] = process.argv.slice(1);
// An agent may have made a folder in between.
const attempt = (work) => { try { work(); } catch {} };
const move = (from, to) => attempt(() => renameSync(from, to));
const link = (to, at) => attempt(() => symlinkSync(to, at));
const remove = (at) => attempt(() => rmSync(at, { recursive: true, force: true }));
const exchange = (at, away, to) => {
  move(at, away);
  link(to, at);
  remove(at);
  move(away, at);
};
writeSync(1, "ready");
`;

test.each(Object.keys(RACES) as (keyof typeof RACES)[])(
  "a race by %s",
  { timeout: 3_600_000 },
  async (kind) => {
    const program = HANDS + RACES[kind];
    const attacker = spawn(process.execPath, ["-e", program, place.outside], {
      ...{ cwd: place.folder, stdio: ["ignore", "pipe", "ignore"] },
    });
    const closed = once(attacker, "close");
    await once(attacker.stdout, "data");
    const { all } = fileTools("site");
    const terms = [grantTerms.files("site", { verbs: ["read", "write", "delete"] })];
    const desk = openDesk({ tools: all, terms, folder: place.folder });
    const seen: string[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const inputs = [
          ["fs.read", { path: "d/a" }],
          ["fs.grep", { pattern: "secret" }],
          ["fs.write", { path: `d/${round % 3}`, text: `written ${round}` }],
        ] as const;
        const [tool, input] = inputs[round % inputs.length] ?? inputs[0];
        seen.push(JSON.stringify(await desk.call(tool, input)));
      }
    } finally {
      attacker.kill("SIGKILL");
      await closed;
    }
    expect(seen.filter((answer) => answer.includes("secret\\n"))).toEqual([]);
    expect(seen.some((answer) => answer.includes("inside"))).toBe(true);
    expect(readdirSync(place.outside)).toEqual(["a"]);
    expect(readFileSync(join(place.outside, "a"), "utf8")).toBe("secret\n");
  },
);

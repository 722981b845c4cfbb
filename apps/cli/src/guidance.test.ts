// `turnseal run --guidance`, through the real command.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GUIDANCE_BYTES_MAX, sha256Hex } from "@turnseal/protocol";
import { afterAll, expect, test } from "vitest";
import { EXIT_CODES } from "./exit-codes.ts";

const bin = fileURLToPath(new URL("../bin/turnseal.js", import.meta.url));
const loops = fileURLToPath(new URL("./__fixtures__/payments.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-guidance-"));
const folder = join(root, "project");
afterAll(() => rmSync(root, { recursive: true, force: true }));

mkdirSync(join(folder, "rules"), { recursive: true });
writeFileSync(join(folder, "tone.md"), "Be friendly.");
writeFileSync(join(folder, "rules", "count.txt"), "Count from one.");
writeFileSync(join(folder, "large.md"), "x".repeat(GUIDANCE_BYTES_MAX + 1));
writeFileSync(join(root, "outside.md"), "From outside.");

function turnseal(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, out: stdout, err: stderr };
}

const begin = (...more: string[]) => turnseal("run", "count", "--from", loops, ...more);

test("documents are named by their paths and pinned by their digests", () => {
  const given = ["--guidance", "./tone.md", "--guidance", "rules/count.txt"];
  const { status, err } = begin(...given, "--turns-max", "2", "--goal", "output.count>=2");
  expect({ status, err: /error/.test(err) }).toEqual({ status: EXIT_CODES.done, err: false });
  const exported = JSON.parse(turnseal("export", "last", "--out", "-").out) as {
    readonly events: readonly { readonly type: string; readonly content: unknown }[];
  };
  const [started] = exported.events.filter((event) => event.type === "run.started");
  expect(started?.content).toMatchObject({
    spec: {
      guidance: [
        { ref: "tone.md", digest: `sha256:${sha256Hex("Be friendly.")}`, size: 12 },
        { ref: "rules/count.txt", digest: `sha256:${sha256Hex("Count from one.")}`, size: 15 },
      ],
    },
  });
  const turns = exported.events.filter((event) => event.type === "turn.started");
  const counts = turns.map(({ content }) => (content as { guidance: unknown[] }).guidance.length);
  expect(counts).toEqual([2, 2]);
  expect(turnseal("verify", "last").status).toBe(EXIT_CODES.done);
}, 60_000);

test.each([
  ["../outside.md", "ref-outside"],
  [join(root, "outside.md"), "ref-absolute"],
  ["https://example.com/a.md", "cannot be guidance"],
  ["none.md", "the file does not exist"],
  ["large.md", "larger than"],
])(
  "%s is refused, and nothing is started",
  (file, why) => {
    const { status, out, err } = begin("--guidance", file);
    expect(status).toBe(EXIT_CODES.usage);
    expect(err).toContain(why);
    expect(out).toBe("");
  },
  60_000,
);

test("the same document twice is refused", () => {
  const { status, err } = begin("--guidance", "tone.md", "--guidance", "./tone.md");
  expect(status).toBe(EXIT_CODES.usage);
  expect(err).toContain("./tone.md cannot be guidance: duplicate-ref");
}, 60_000);

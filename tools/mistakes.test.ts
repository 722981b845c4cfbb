// What compilers say of a mistake: the types are written so that they say what to mend.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "./tidy/tree.ts";

/** The compilers that users have: the last one in JavaScript, one between, and the native one. */
const compilers = ["ts5", "typescript", "ts7"];

const root = repositoryRoot.replaceAll("\\", "/");
const authoring = `${root}/packages/protocol/src/authoring/index.ts`;
const begin = `
  import { defineComposite, definePrompt, defineTool, jsonSchema } from "${authoring}";
  const input = jsonSchema<{ ticket: string; owner: string }>(true);
  const output = jsonSchema<{ text: string; size: number }>(true);
  const any = jsonSchema<any>(true);
  const version = "1.0.0";
  const run = () => ({ text: "", size: 1 });
  const find = defineTool({ id: "find", version, input, output, run });
  const guess = defineTool({ id: "guess", version, input: any, output: any, run });
`;

const prompt = (fields: string): string => `${begin} definePrompt({ input, output, ${fields} });`;
const composite = (steps: string): string =>
  `${begin} defineComposite({ id: "both", version, input, output, steps: (all) => all${steps} });`;

const named = 'id: "sort", version: "1.0.0"';
const advice =
  "a mapping computes nothing: compute it in a tool, or write it into a prompt's template";

/** By name: the program, and what each compiler says of it. */
const programs: Readonly<Record<string, readonly [text: string, said: readonly string[]]>> = {
  whole: [prompt(`${named}, template: "Sort {{ticket}} of {{owner}}"`), []],
  computedTemplate: [prompt(`${named}, template: "Sort" as string`), []],
  misspelt: [prompt(`${named}, template: "Sort {{tiket}}"`), ["the input has no field tiket"]],
  unversioned: [prompt('id: "sort", template: "Sort {{ticket}}"'), []],
  unnamed: [prompt('template: "Sort {{ticket}}"'), ["Property 'id' is missing"]],
  mapped: [
    composite(`
      .call("found", find, ({ input }) => ({ ticket: input.ticket, owner: "ada" }))
      .call("guessed", guess, ({ found }) => ({ size: found.output.size }))
      .call("again", find, ({ guessed }) => ({ ticket: guessed.output, owner: "ada" }))`),
    [],
  ],
  misspeltField: [
    composite('.call("found", find, ({ input }) => ({ ticket: input.tiket, owner: "ada" }))'),
    ["Property 'tiket' does not exist"],
  ],
  missingField: [
    composite('.call("found", find, ({ input }) => ({ ticket: input.ticket }))'),
    ["Property 'owner' is missing"],
  ],
  takenBinding: [
    composite('.call("input", find, ({ input }) => ({ ticket: input.ticket, owner: "ada" }))'),
    ["input is taken"],
  ],
  text: [
    composite(
      '.call("found", find, ({ input }) => ({ ticket: input.ticket.trim(), owner: "ada" }))',
    ),
    [advice],
  ],
  number: [
    composite(`
      .call("found", find, ({ input }) => ({ ticket: input.ticket, owner: "ada" }))
      .output(({ found }) => ({ text: found.output.size.toFixed(2), size: found.output.size }))`),
    [advice],
  ],
};

const options = {
  ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
  ...{ target: "esnext", module: "nodenext", skipLibCheck: true },
};

/** What a compiler says, by the name of the program; what it says of our own files is beside. */
function compile(compiler: string): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-mistakes-"));
  try {
    for (const [name, [text]] of Object.entries(programs))
      writeFileSync(join(folder, `${name}.ts`), text);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    const manifest = createRequire(import.meta.url).resolve(`${compiler}/package.json`);
    const { stdout } = spawnSync(
      process.execPath,
      [join(manifest, "../bin/tsc"), "-p", ".", "--pretty", "false"],
      { cwd: folder, encoding: "utf8" },
    );
    const said: Record<string, string[]> = Object.fromEntries(
      Object.keys(programs).map((name) => [name, []]),
    );
    for (const message of stdout.trim().split(/\n(?=\S)/)) {
      const [, file = "unread", text = message] =
        /^(.+)\.ts\(\d+,\d+\): (.*)$/s.exec(message) ?? [];
      if (message !== "") said[file] = [...(said[file] ?? []), text];
    }
    return said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each(compilers)("%s", (compiler) => {
  test("names each mistake, with what to do, and nothing else", { timeout: 120_000 }, () => {
    const expected = Object.entries(programs).map(([name, [, said]]) => [
      name,
      said.map((part) => expect.stringContaining(part)),
    ]);
    expect(compile(compiler)).toEqual(Object.fromEntries(expected));
  });
});

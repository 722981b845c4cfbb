// Compiler messages for common mistakes: the types are written so that each message says how to fix
// it.
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
  import { orElse, text } from "${authoring}";
  const input = jsonSchema<{ ticket: string; owner: string }>(true);
  type Some = { ticket?: string; count: number; tags: string[]; late: boolean | null };
  const some = jsonSchema<Some>(true);
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

const some = (fields: string): string =>
  `${begin} defineComposite({ id: "some", version, input: some, output, steps: (all) =>
    all.call("found", find, ({ input }) => ({ ${fields} })) });`;

const named = 'id: "sort", version: "1.0.0"';
const advice = "a mapping computes only with text`...` and orElse(...): compute the rest in a tool";
const notYet = "write text`...`: what a mapping refers to is not known yet";
const misplaced = "only a text, a number, true or false can stand in a text";
const map = (ticket: string, more = "") =>
  composite(`.call("found", find, ({ input }) => ({ ticket: ${ticket}, owner: "ada"${more} }))`);

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
  template: [map(`\`Sort \${input.ticket}\``), [notYet]],
  templateOfConstants: [map(`\`Sort \${1 + 1}\``), []],
  templateOfVariable: [map(`\`Sort \${String(1)}\``), [notYet]],
  plainText: [map("`Sort`"), []],
  templateInOutput: [
    composite(`
      .call("found", find, ({ input }) => ({ ticket: input.ticket, owner: "ada" }))
      .output(({ found }) => ({ text: \`Is \${found.output.text}\`, size: found.output.size }))`),
    [notYet],
  ],
  unknownField: [map("input.ticket", ", onwer: input.owner"), ["the input has no such field"]],
  computed: [
    composite(`
      .call("found", find, ({ input }) => ({
        ticket: text\`Sort \${input.ticket} of \${input.owner}, \${3}\`,
        owner: orElse(input.owner, "ada"),
      }))
      .output(({ found }) => ({
        text: text\`\${found.output.size} of \${orElse(found.output.text, found.loopId)}\`,
        size: orElse(found.output.size, 0),
      }))`),
    [],
  ],
  computedOfOptional: [
    some(
      `ticket: text\`Sort \${orElse(input.ticket, "none")}, \${input.count}\`,
       owner: orElse(input.ticket, "x")`,
    ),
    [],
  ],
  missingInText: [
    some(`ticket: text\`Sort \${input.ticket}\`, owner: "ada"`),
    ["it may be missing or null: write orElse(reference, default)"],
  ],
  nullInText: [
    some(`ticket: text\`Sort \${input.late}\`, owner: "ada"`),
    ["it may be missing or null: write orElse(reference, default)"],
  ],
  listInText: [some(`ticket: text\`Sort \${input.tags}\`, owner: "ada"`), [misplaced]],
  objectInText: [some(`ticket: text\`Sort \${{ a: 1 }}\`, owner: "ada"`), [misplaced]],
  computedOfAnotherType: [
    some('ticket: orElse(input.count, 1), owner: "ada"'),
    ["Type 'number' is not assignable to type 'string'"],
  ],
  defaultOfAnotherType: [
    some('ticket: orElse(input.ticket, 1), owner: "ada"'),
    ["is not assignable to type 'string'"],
  ],
  objectAsDefault: [
    some('ticket: orElse(input.ticket, { a: 1 }), owner: "ada"'),
    ["is not assignable", "Object literal may only specify known properties"],
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

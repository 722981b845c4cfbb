// What the compiler says of a mistake: the types are written so that it says what to mend.
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { repositoryRoot } from "./tidy/tree.ts";

const header = 'id: "sort", input, output';
const prompts = new Map(
  Object.entries({
    whole: `${header}, version: "1.0.0", template: "Sort {{ticket}} of {{owner}}"`,
    computed: `${header}, version: "1.0.0", template: "Sort" as string`,
    misspelt: `${header}, version: "1.0.0", template: "Sort {{tiket}}"`,
    unversioned: `${header}, template: "Sort {{ticket}}"`,
    unnamed: `input, output, template: "Sort {{ticket}}"`,
  }).map(([name, fields]) => [
    join(repositoryRoot, `packages/protocol/src/authoring/${name}.ts`),
    `import { definePrompt } from "./define-prompt.ts";
    import { jsonSchema } from "./json-schema-source.ts";
    const input = jsonSchema<{ ticket: string; owner: string }>(true);
    const output = jsonSchema<unknown>(true);
    definePrompt({ ${fields} });`,
  ]),
);

/** The messages of the compiler, by the name of the file. */
function compile(files: ReadonlyMap<string, string>): Record<string, string[]> {
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
    ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, skipLibCheck: true },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, target) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, target)
      : ts.createSourceFile(name, text, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return Object.fromEntries(
    [...files.keys()].map((name) => [
      name.replace(/^.*[/\\](\w+)\.ts$/, "$1"),
      program
        .getSemanticDiagnostics(program.getSourceFile(name))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    ]),
  );
}

test("a mistake in a prompt is named by the compiler, and nothing else is", () => {
  expect(compile(prompts)).toEqual({
    whole: [],
    computed: [],
    misspelt: [expect.stringContaining("the input has no field tiket")],
    unversioned: [],
    unnamed: [expect.stringContaining("Property 'id' is missing")],
  });
});

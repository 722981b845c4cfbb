import { expect, test } from "vitest";
import { listPackages, readProgram } from "./read-program.ts";

const fence = "```";

test("the first TypeScript block is the program", () => {
  const blocks = ["sh\nnpm i\n", "ts\nrun();\n", "ts\nno();\n"];
  const document = `# A\n\n${blocks.map((block) => fence + block + fence).join("\n\n")}\n`;
  expect(readProgram(document)).toBe("run();\n");
});

test("a document without one is refused", () => {
  expect(() => readProgram(`# A\n\n${fence}js\nrun();\n${fence}\n`)).toThrow("no program");
});

test("packages are listed, files and modules of Node are not", () => {
  const program = `import { z } from "zod";\nimport "node:fs";\nimport "./x.ts";\nimport "ai";`;
  expect(listPackages(program)).toEqual(["zod", "ai"]);
});

import { expect, test } from "vitest";
import { listImports, parseSource, placeOf } from "./parse-source.ts";

test("imports of values, types, re-exports, import() and import types are all listed", () => {
  const text = [
    `import { a } from "./a.ts";`,
    `import type { B } from "./b.ts";`,
    `export * from "./c.ts";`,
    `export { d } from "./d.ts";`,
    `const e = await import("./e.ts");`,
    `type F = import("./f.ts").F;`,
    `import "./g.ts";`,
    `const text = 'import { no } from "./no.ts"';`,
    `// import { no } from "./no.ts";`,
    `export const own = 1;`,
  ].join("\n");
  const source = parseSource(new Map([["x.ts", text]]), "x.ts");
  expect(listImports(source)).toEqual(["a", "b", "c", "d", "e", "f", "g"].map((n) => `./${n}.ts`));
});

test("a place is a path and a line", () => {
  const source = parseSource(new Map([["x.ts", "\n\nconst a = 1;"]]), "x.ts");
  const [statement] = source.statements;
  expect(statement && placeOf(statement)).toBe("x.ts:3");
});

test("two trees with the same path do not share a parse", () => {
  const first = parseSource(new Map([["x.ts", `import "./a.ts";`]]), "x.ts");
  const second = parseSource(new Map([["x.ts", `import "./b.ts";`]]), "x.ts");
  expect([...listImports(first), ...listImports(second)]).toEqual(["./a.ts", "./b.ts"]);
});

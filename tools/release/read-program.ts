import ts from "typescript";
import { listImports } from "../tidy/parse-source.ts";

/** The first TypeScript program of a Markdown document; throws when there is none. */
export function readProgram(document: string): string {
  const match = /^```ts\n([\s\S]*?)^```$/m.exec(document);
  if (match?.[1] === undefined) throw new Error("the document holds no program in TypeScript");
  return match[1];
}

/** The packages that a program needs beside Node. */
export function listPackages(program: string): string[] {
  const source = ts.createSourceFile("program.ts", program, ts.ScriptTarget.Latest, true);
  return listImports(source).filter((specifier) => !/^(node:|\.)/.test(specifier));
}

/** Lists the places that do not compile when a new type of event has no answer. */
import { resolve } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../../tools/tidy/tree.ts";

/** A replacement of one text in a file, as it is read. */
export interface Change {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Those of the files that have an error, with the changes made. */
export function listUnanswered(files: readonly string[], changes: readonly Change[]): string[] {
  const options = readOptions();
  const host = ts.createCompilerHost(options);
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    const own = changes.filter(({ file }) => resolve(repositoryRoot, file) === resolve(path));
    const changed = own.reduce((before, change) => applyChange(before, change), text);
    return changed === undefined ? undefined : ts.createSourceFile(path, changed, version);
  };
  const paths = files.map((file) => resolve(repositoryRoot, file));
  const program = ts.createProgram(paths, options, host);
  return files.filter((_, index) => {
    const source = program.getSourceFile(paths[index] ?? "");
    return source === undefined || program.getSemanticDiagnostics(source).length > 0;
  });
}

function readOptions(): ts.CompilerOptions {
  const path = resolve(repositoryRoot, "tools/tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: [] },
    ts.sys,
    resolve(repositoryRoot, "tools"),
  );
  return { ...options, noEmit: true, composite: false, emitDeclarationOnly: false };
}

function applyChange(text: string | undefined, { file, find, replace }: Change): string {
  if (text?.split(find).length !== 2) throw new Error(`${find} must stand once in ${file}`);
  return text.replace(find, replace);
}

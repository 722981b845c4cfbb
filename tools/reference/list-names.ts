/** The public names of a package with their declarations, from its last build. */
import { join } from "node:path";
import ts from "typescript";
import { listEntries } from "../packages/list-entries.ts";
import type { Manifest } from "../packages/read-manifest.ts";

export interface PublicName {
  readonly name: string;
  /** What the comment of the declaration says. */
  readonly comment: string;
  /** The declaration, as a reader of the types sees it. */
  readonly text: string;
}

export interface DescribedEntry {
  /** What a user writes behind `from`. */
  readonly specifier: string;
  readonly names: readonly PublicName[];
}

export function describeEntries(manifest: Manifest, folder: string): DescribedEntry[] {
  const entries = listEntries(manifest).map(({ subpath, source }) => ({
    specifier: `${manifest.name}${subpath.slice(1)}`,
    file: join(folder, source.replace(/^src\//, "dist/").replace(/\.ts$/, ".d.ts")),
  }));
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2024,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  return entries.map(({ specifier, file }) => {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is missing: run \`npm run build\``);
    const names = checker.getExportsOfModule(module).map((symbol) => describe(symbol, checker));
    return { specifier, names: names.toSorted(byName) };
  });
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker): PublicName {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const declarations = (target.declarations ?? []).map(toStatement);
  if (declarations.length === 0) throw new Error(`${symbol.name} has no declaration`);
  return {
    name: symbol.name,
    comment: ts.displayPartsToString(target.getDocumentationComment(checker)),
    text: [...new Set(declarations.map(render))].join("\n"),
  };
}

/** A constant is declared in a list in a statement. */
function toStatement(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}

function render(declaration: ts.Node): string {
  const text = declaration.getText().replace(/^export (declare )?/, "");
  // The extension of a type that is imported in its place is of no use to a reader.
  return text.replace(/import\("[^"]+"\)\./g, "");
}

function byName({ name: one }: PublicName, { name: other }: PublicName): number {
  return one < other ? -1 : 1;
}

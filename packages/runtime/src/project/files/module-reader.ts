/**
 * Reads modules again each time, with their own imports: a watcher needs their present text, and
 * Node.js keeps every module that it has read before.
 *
 * Every reading has a number, which is part of the address of its modules. Imports by package name
 * are not read again: the package would be loaded twice, with classes that differ.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

export type ImportModule = (url: string) => Promise<Readonly<Record<string, unknown>>>;

export interface ModuleReader {
  /** Imports a module; of one reading each is imported once. */
  readonly importModule: ImportModule;
  /** Begins a new reading. */
  next(): void;
  /** The files of this reading, with all that they import of their own. */
  files(): readonly string[];
  close(): void;
}

const MARK = "turnseal-reading";
const ownPattern = /^(\.{0,2}\/|file:|#)/;

export function createModuleReader(): ModuleReader {
  let reading = 0;
  const files = new Set<string>();
  const mark = (url: string): string => {
    files.add(fileURLToPath(url));
    const marked = new URL(url);
    marked.searchParams.set(MARK, String(reading));
    return marked.href;
  };
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const found = nextResolve(specifier, context);
      const isOwn = isMarked(context.parentURL) && ownPattern.test(specifier);
      return isOwn && found.url.startsWith("file:") ? { ...found, url: mark(found.url) } : found;
    },
  });
  return {
    importModule: (url) => import(mark(url)),
    next: () => {
      reading += 1;
      files.clear();
    },
    files: () => [...files],
    close: () => hooks.deregister(),
  };
}

function isMarked(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).searchParams.has(MARK);
}

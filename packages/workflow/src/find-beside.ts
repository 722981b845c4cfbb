/** Where a file stands that a workflow names: below the folder of the workflow, or nowhere. */
import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";

export type FoundBeside =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "refused"; readonly message: string; readonly mend: string };

/** A name that leads out of the folder, also by a link, and what is no plain file are refused. */
export async function findBeside(file: string, name: string): Promise<FoundBeside> {
  const folder = dirname(file);
  const path = join(folder, name);
  if (isAbsolute(name) || isOutside(relative(folder, path))) return refuseOutside();
  try {
    const [top, real] = await Promise.all([realpath(folder), realpath(path)]);
    if (isOutside(relative(top, real))) return refuseOutside();
    if ((await stat(real)).isFile()) return { kind: "found", path };
    return { kind: "refused", message: "it is no plain file", mend: "name a file" };
  } catch {
    // The reader of the file reports why it cannot be read.
    return { kind: "found", path };
  }
}

function isOutside(way: string): boolean {
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

function refuseOutside(): FoundBeside {
  const message = "it leads out of the folder of the workflow";
  return { kind: "refused", message, mend: "move the file into the folder, or below it" };
}

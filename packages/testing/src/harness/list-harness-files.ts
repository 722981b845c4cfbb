import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { FILES_MAX } from "@turnseal/runtime/project";

const harnessName = /\.harness\.(json|toml)$/;

export type ListedHarnesses =
  | { readonly kind: "listed"; readonly files: readonly string[] }
  | { readonly kind: "unusable"; readonly message: string };

/** The harness files behind some paths: a file as it is named, a folder's by name. */
export async function listHarnessFiles(paths: readonly string[]): Promise<ListedHarnesses> {
  const files = new Set<string>();
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return unusable(`${path} does not exist`);
    const listed = found.isDirectory() ? await listFolder(path) : [path];
    if (listed.length === 0) return unusable(`there is no *.harness.json or .toml in ${path}`);
    for (const file of listed) files.add(file);
    if (files.size > FILES_MAX) return unusable(`more than ${FILES_MAX} files`);
  }
  return { kind: "listed", files: [...files] };
}

async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isSkipped = entry.name.startsWith(".") || entry.name === "node_modules";
    if (entry.isDirectory() && !isSkipped) files.push(...(await listFolder(path)));
    else if (entry.isFile() && harnessName.test(entry.name)) files.push(path);
  }
  return files;
}

function unusable(message: string): ListedHarnesses {
  return { kind: "unusable", message };
}

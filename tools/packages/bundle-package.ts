/**
 * Bundles one package: each entry becomes one file, with chunks for what entries share and for
 * what is loaded when it is used.
 *
 * The packages that are not published are inside; libraries stay imports.
 */
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";
import { listEntries } from "./list-entries.ts";
import type { Manifest } from "./read-manifest.ts";

/** Files that a program or a thread starts by their path. */
const STARTED: Readonly<Record<string, readonly string[]>> = {
  "@turnseal/conformance": ["src/main.ts"],
  turnseal: ["src/main.ts", "../../packages/operate/src/worker/watch/stall-thread.ts"],
};

/**
 * What every entry needs, in one file for each package: each file costs a start some time. Packages
 * import downwards, so that these files never wait for each other.
 */
const GROUPS = ["protocol", "ports", "folds", "views", "kernel", "host"].map((name, index) => ({
  name,
  // Imported packages stay in their own files.
  priority: 9 - index,
  // Left out: contracts, which load an assertion library, and parts for an engine.
  test: new RegExp(`/packages/${name}/src/(?!.*contract|restate|read/export|mplp|prov)`),
}));

/** Writes the bundles of a package, and returns the libraries that they import. */
export async function bundlePackage(
  manifest: Manifest,
  { folder, dist }: { readonly folder: string; readonly dist: string },
): Promise<string[]> {
  const exported = listEntries(manifest).map(({ source }) => source);
  const entries = [...exported, ...(STARTED[manifest.name] ?? [])];
  if (entries.length === 0) return [];
  const bundle = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), join(folder, entry)])),
    external: (id) => !id.startsWith(".") && !isAbsolute(id) && !id.startsWith("@turnseal/"),
    platform: "node",
    resolve: { conditionNames: ["turnseal-source"] },
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: dist,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: { groups: GROUPS },
    comments: false,
  });
  await bundle.close();
  const files = new Set(output.map(({ fileName }) => fileName));
  const imported = output.flatMap((part) =>
    part.type === "chunk" ? [...part.imports, ...part.dynamicImports] : [],
  );
  return [...new Set(imported)].filter((id) => !files.has(id) && !id.startsWith("node:"));
}

/** The name of the file that an entry becomes: `src/public/worker.ts` becomes `worker`. */
export function nameOf(source: string): string {
  return source
    .replace(/^.*\bsrc\//, "")
    .replace(/^public\//, "")
    .replace(/\.ts$/, "");
}

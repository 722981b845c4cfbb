import { existsSync } from "node:fs";

/** The folder of this package, from its source as from a bundled file of its build. */
export const PACKAGE_ROOT = findRoot(new URL(".", import.meta.url));

function findRoot(folder: URL): URL {
  return existsSync(new URL("package.json", folder)) ? folder : findRoot(new URL("..", folder));
}

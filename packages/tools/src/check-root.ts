import { isRootName } from "@turnseal/protocol/artifact";

/** Throws for a path: workers bind the name of a root to a folder of their own. */
export function checkRoot(root: string): void {
  if (isRootName(root)) return;
  const shown = JSON.stringify(root)?.slice(0, 80);
  throw new TypeError(`${shown} is no name of a root such as \`site\`: a worker binds its folder`);
}

/** Whether another account reaches a folder: bubblewrap runs under it, and follows the path. */
import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The folder, or the one above it, that the account may not pass; undefined where it may. */
export function findClosed(folder: string, account: Account): string | undefined {
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    if (!mayPass(at, account)) return at;
    if (at === dirname(at)) return undefined;
  }
}

function mayPass(folder: string, { uid, gid }: Account): boolean {
  const { mode, uid: owner, gid: group } = statSync(folder);
  if (owner === uid) return (mode & 0o100) !== 0;
  return (mode & (group === gid ? 0o010 : 0o001)) !== 0;
}

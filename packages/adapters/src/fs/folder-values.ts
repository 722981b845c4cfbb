/**
 * Values in a folder, for a machine without a database: any number of processes, one file for each
 * commit, everything in memory. Changes of one write are one file, and durable when it is answered.
 */
import { join, resolve } from "node:path";
import { bindValues, ifSnapshot, type ValueRows, type ValueStateLayer } from "@turnseal/ports";
import { isTenant, TENANT_WORDS } from "@turnseal/protocol";
import { attemptWith } from "../durable-files.ts";
import { folderLogs } from "./folder-logs.ts";
import { holdValues } from "./held-values.ts";
import { oneByOne } from "./one-by-one.ts";

export interface FolderValuesOptions {
  readonly folder: string;
  /** The owner of the values: values of other tenants are neither visible nor changeable. */
  readonly tenant: string;
}

/**
 * Opens the values of a tenant in a folder, which is made if it is not there.
 *
 * @example
 * const values = folderValues({ folder: ".turnseal/values", tenant: "acme" });
 * await values.set("project/1", { title: "Move to the new house" });
 */
export function folderValues({ folder, tenant }: FolderValuesOptions): ValueStateLayer {
  if (!isTenant(tenant)) throw new RangeError(`a tenant is a name of ${TENANT_WORDS}`);
  const root = resolve(folder, tenant);
  const attempt = attemptWith(`the folder of values ${root}`);
  const drafts = join(root, "drafts");
  const logs = folderLogs(join(root, "logs"), drafts);
  const held = holdValues({ generations: join(root, "values"), drafts });
  // Each reads what is new in the folder before it answers.
  const next = oneByOne();
  const inTurn = <Value>(work: () => Promise<Value>) => next(() => attempt(work));
  const fresh = <Value>(read: () => Value): Promise<Value> =>
    inTurn(async () => {
      await held.catchUp();
      return read();
    });
  const keysOf = (prefix: string) =>
    [...held.rows.keys()].filter((key) => key.startsWith(prefix)).sort();
  const rows: ValueRows = {
    read: (key) => fresh(() => held.rows.get(key)),
    list: (prefix, after, limit) =>
      fresh(() =>
        keysOf(prefix)
          .filter((key) => key > after)
          .slice(0, limit),
      ),
    readAll: (prefix) =>
      fresh(() => ifSnapshot(keysOf(prefix).flatMap((key) => held.rows.get(key) ?? []))),
    commit: (commit) => inTurn(() => held.commit(commit)),
    append: (log, body) => attempt(() => logs.append(log, body)),
    readLog: (log, from, limit) => attempt(() => logs.read(log, from, limit)),
  };
  return bindValues(rows);
}

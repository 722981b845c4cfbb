export {
  type SqliteLists,
  type SqliteOptions,
  type SqliteStores,
  sqliteStores,
} from "./sqlite-stores.ts";
export type { NewestRun } from "./statements/snapshot-statements.ts";

export { type SqliteOptions, type SqliteStores, sqliteStores } from "./sqlite-stores.ts";

export {
  type ArchiveBook,
  type ArchiveBookOptions,
  type HeldRunInBook,
  type NoteAnswer,
  openArchiveBook,
  PERIOD_OF_KEPT,
  type Period,
  type RunPlaceInBook,
  type RunToNote,
} from "./archive-book.ts";
export { type AuditBook, type AuditEntry, type AuditPlace, openAuditBook } from "./audit-book.ts";
export { createPostgresDatabase } from "./create-database.ts";
export type { TenantDeleted } from "./delete-tenant.ts";
export type { StoreTrouble } from "./find-trouble.ts";
export {
  type KeyBook,
  type KeyBookOptions,
  type KeyDecided,
  type KeyDecision,
  type KeyName,
  openKeyBook,
} from "./key-book.ts";
export { type Migrated, type MigrateOptions, migratePostgres } from "./migrate.ts";
export type { Asked, ConnectionsOptions, PoolUse } from "./open-database.ts";
export {
  openPauseBook,
  type PauseBook,
  type PauseBookOptions,
  type PauseTarget,
  type PutPause,
} from "./pause-book.ts";
export {
  type OperatorPool,
  openOperatorPool,
  openPostgresPool,
  openPostgresReader,
  openPostgresStores,
  type PostgresOptions,
  type PostgresPool,
  type PostgresPoolOptions,
  type PostgresReader,
  type PostgresStores,
  type TenantQuota,
} from "./postgres-pool.ts";
export type { TenantReader, TenantStores } from "./postgres-stores.ts";
export {
  openReleaseBook,
  type PendingMigration,
  type ReleaseBook,
  type ReleaseBookOptions,
} from "./release-book.ts";
export type { Retained } from "./retention.ts";
export type { Roles } from "./roles.ts";
export type { RunLists, WaitingFilter } from "./run-lists.ts";
export type { Durability, DurabilityOptions } from "./standby.ts";
export type { ArchivedRun } from "./statements/list-archived.ts";
export type { DueRun } from "./statements/list-due-runs.ts";
export type { NotedKey } from "./statements/list-keys.ts";
export { RELEASES_LIST_MAX, type RegisteredRelease } from "./statements/list-releases.ts";
export type { WaitingEntry, WaitingPlace } from "./statements/list-waiting.ts";
export type { RegisteredTenant, StoredTenant } from "./statements/read-tenant.ts";
export {
  openTenantBook,
  type TenantBook,
  type TenantBookOptions,
  type TenantChange,
} from "./tenant-book.ts";
export {
  parseTenantLimits,
  TENANT_LIMITS,
  TENANT_WEIGHT_MAX,
  type TenantLimits,
} from "./tenant-limits.ts";

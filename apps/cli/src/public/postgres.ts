export {
  migratePostgres,
  openPostgresPool,
  openPostgresStores,
  type PostgresStores,
} from "@turnseal/adapters/postgres";

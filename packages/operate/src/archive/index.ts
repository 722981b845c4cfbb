export type { ArchiveParts, RunArchived } from "./archive-run.ts";
export {
  type ArchiveReport,
  type ArchiveWork,
  archiveRuns,
  KEPT_RUNS_MAX,
  type NamedRun,
  PERIODS_KEPT,
} from "./archive-runs.ts";

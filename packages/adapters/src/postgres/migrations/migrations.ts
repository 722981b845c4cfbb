import { runs } from "./0001-runs.ts";
import { inboxBytes } from "./0002-inbox-bytes.ts";
import { cachedCalls } from "./0003-cached-calls.ts";
import { startedAt } from "./0004-started-at.ts";
import { releases } from "./0005-releases.ts";
import { segments } from "./0006-segments.ts";
import { packedState } from "./0007-packed-state.ts";
import { tenants } from "./0008-tenants.ts";
import { unfinished } from "./0009-unfinished.ts";
import { periods } from "./0010-periods.ts";
import { pauses } from "./0011-pauses.ts";
import { tenantQuota } from "./0012-tenant-quota.ts";
import { audit } from "./0013-audit.ts";
import { signingKeys } from "./0014-signing-keys.ts";
import { values } from "./0015-values.ts";
import { graphs } from "./0016-graphs.ts";
import { graphTraces } from "./0017-graph-traces.ts";
import { outbox } from "./0018-outbox.ts";

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The lowest migration that a program must know to read and write this one's schema. It is its
   * own number, or one less where an older program can work with it.
   */
  readonly oldest: number;
}

/** Every migration, in order. A released migration is never edited: add another. */
export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "runs", sql: runs, oldest: 1 },
  { number: 2, name: "inbox-bytes", sql: inboxBytes, oldest: 1 },
  { number: 3, name: "cached-calls", sql: cachedCalls, oldest: 2 },
  { number: 4, name: "started-at", sql: startedAt, oldest: 3 },
  { number: 5, name: "releases", sql: releases, oldest: 4 },
  { number: 6, name: "segments", sql: segments, oldest: 6 },
  { number: 7, name: "packed-state", sql: packedState, oldest: 7 },
  { number: 8, name: "tenants", sql: tenants, oldest: 7 },
  { number: 9, name: "unfinished", sql: unfinished, oldest: 8 },
  { number: 10, name: "periods", sql: periods, oldest: 10 },
  { number: 11, name: "pauses", sql: pauses, oldest: 10 },
  { number: 12, name: "tenant-quota", sql: tenantQuota, oldest: 11 },
  { number: 13, name: "audit", sql: audit, oldest: 12 },
  { number: 14, name: "signing-keys", sql: signingKeys, oldest: 13 },
  { number: 15, name: "values", sql: values, oldest: 14 },
  { number: 16, name: "graphs", sql: graphs, oldest: 15 },
  { number: 17, name: "graph-traces", sql: graphTraces, oldest: 16 },
  { number: 18, name: "outbox", sql: outbox, oldest: 17 },
];

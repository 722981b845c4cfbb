/** Says, now and then, which tenants are not served for what is wrong with their files. */

import type { WorkerLog } from "../worker-log.ts";
import type { WorkerOptions } from "../worker-options.ts";
import { createRecent } from "./create-recent.ts";
import { createTenantFiles, type TenantFiles } from "./tenant-files.ts";

/** How often the log repeats that a tenant's files keep it from being served. */
const REFUSED_SAID_MS = 10 * 60 * 1000;

/** Finds what a tenant has of its own, and says where that is not as it must be. */
export function watchFiles(
  { tenantFiles }: Pick<WorkerOptions, "tenantFiles">,
  log: WorkerLog,
): TenantFiles["find"] {
  if (tenantFiles === undefined) return async () => ({ kind: "workers" });
  const files = createTenantFiles(tenantFiles);
  const said = createRecent<{ readonly why: string; readonly atMs: number }>();
  return async (tenant) => {
    const found = await files.find(tenant);
    const last = said.get(tenant);
    if (found.kind !== "refused") {
      if (last !== undefined) said.delete(tenant);
      return found;
    }
    const { why } = found;
    if (last?.why === why && Date.now() - last.atMs < REFUSED_SAID_MS) return found;
    said.set(tenant, { why, atMs: Date.now() });
    log.say("warn", "tenant.files", { tenant, why });
    return found;
  };
}

import type { PostgresPool } from "@turnseal/adapters/postgres";
import { digestOf, type JsonValue } from "@turnseal/protocol";
import type { WorkerOptions } from "./worker-options.ts";

/** What is noted where a worker has no rules of today. */
const NO_POLICY = "none";

/** Has the log of the deployment say which rules and which key this worker starts with. */
export async function noteParts(
  pool: Pick<PostgresPool, "noteSeen">,
  { policy, signer }: Pick<WorkerOptions["host"], "policy" | "signer">,
): Promise<void> {
  const name = policy === undefined ? NO_POLICY : digestOf(policy as unknown as JsonValue);
  await pool.noteSeen({ kind: "policy", name, facts: {} });
  await pool.noteSeen({ kind: "key", name: signer.keyId, facts: { issuer: signer.issuer } });
}

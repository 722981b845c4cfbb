/** Has the database know which rules and which keys workers have. */
import type { PostgresPool } from "@turnseal/adapters/postgres";
import type { Signer } from "@turnseal/ports";
import { digestOf, type JsonValue } from "@turnseal/protocol";
import { toPublicKey } from "@turnseal/runtime/folder";
import type { WorkerLog } from "../worker-log.ts";
import type { WorkerOptions } from "../worker-options.ts";
import { createRecent } from "./create-recent.ts";

/** Recorded if a worker has no rules of today. */
const NO_POLICY = "none";

/** Lists the public half of a key that seals for a tenant, or, with null, for all. */
export type NoteKey = (tenant: string | null, signer: Signer) => Promise<void>;

/** Asks the database once for each key, and says where it is not listed as it is. */
export function createNoteKey(
  pool: Pick<PostgresPool, "noteKey" | "noteSeen">,
  log: Pick<WorkerLog, "say">,
): NoteKey {
  const noted = createRecent<string>();
  return async (tenant, signer) => {
    const { keyId, issuer } = signer;
    const name = tenant ?? "";
    if (noted.get(name) === keyId) return;
    const key = toPublicKey(signer);
    if (key === undefined) await pool.noteSeen({ kind: "key", name: keyId, facts: { issuer } });
    else {
      const answer = await pool.noteKey(tenant, key);
      const why = answer === "other" ? "noted with another issuer or other times" : "too many keys";
      if (answer === "other" || answer === "full")
        log.say("warn", "key.not-noted", { tenant, key: keyId, why });
    }
    noted.set(name, keyId);
  };
}

/** A failed note never stops a run: it is logged, and tried again. */
export function noteInTime(noteKey: NoteKey, log: Pick<WorkerLog, "sayError">): NoteKey {
  return (tenant, signer) =>
    noteKey(tenant, signer).catch((error: unknown) =>
      log.sayError("key.not-noted", error, { tenant, key: signer.keyId }),
    );
}

/** Has the log of the deployment say which rules and which key this worker starts with. */
export async function noteParts(
  pool: Pick<PostgresPool, "noteSeen">,
  { policy, signer }: Pick<WorkerOptions["host"], "policy" | "signer">,
  noteKey: NoteKey,
): Promise<void> {
  const name = policy === undefined ? NO_POLICY : digestOf(policy as unknown as JsonValue);
  await pool.noteSeen({ kind: "policy", name, facts: {} });
  await noteKey(null, signer);
}

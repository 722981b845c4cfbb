/**
 * Hides the key of a start before the host gets it. The id of a run follows from its key, and any
 * caller of the tenant who has the id may read the run. The tenant's secret keeps others from
 * computing an id from a key that they can guess.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { SessionHost } from "../session-host.ts";

const SECRET_BYTES = 32;

/** The key that a client gave a run. The same one of two tenants must not name the same run. */
export function runKey(host: KeyHolder, tenant: string, key: string): Promise<string> {
  return hideKey(host, ["run", tenant, key]);
}

type KeyHolder = Pick<SessionHost, "stores">;

/** A store that keeps no secret of the tenant has keys that say what they are made of. */
export async function hideKey(
  { stores: { calls } }: KeyHolder,
  parts: readonly ["chat" | "run", ...string[]],
): Promise<string> {
  const text = JSON.stringify(parts);
  if (calls === undefined) return text;
  const secret = await calls.keepKey(randomBytes(SECRET_BYTES));
  return createHmac("sha256", secret).update(text).digest("hex");
}

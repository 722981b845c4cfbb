/**
 * A person in a process of their own, who gives the approvals in their messages, each by its own
 * id.
 */
import { openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import { isLoopError } from "@turnseal/protocol";
import { postJson } from "@turnseal/runtime/engine";
import { crashSigner } from "../kit/crash-key.ts";
import { untilTold } from "./until-told.ts";

export interface PersonSettings {
  readonly name: string;
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly ingress: string;
}

export interface Approval {
  readonly run: string;
  readonly what: string;
}

/** The ends of the approvals in a person's messages. */
export interface Said {
  readonly told: number;
  /** Somebody else had approved it before. */
  readonly late: number;
}

/** Approvals of one person that are under way at the same time. */
const LANES = 4;

const { name, databaseUrl, tenant, ingress } = JSON.parse(
  process.argv[2] ?? "{}",
) as PersonSettings;
const stores = await openPostgresStores({ url: databaseUrl, tenant });
const { put } = createIngress({ ingress, tenant, post: postJson });
// No loops: an approver needs no code.
const host = createLocalHost({ loops: [], stores, signer: crashSigner, put });
const by = { id: name, roles: [] };

async function approve({ run, what }: Approval): Promise<keyof Said> {
  const asked = await host.requests(run);
  const request = asked.find(({ request: args }) => Reflect.get(Object(args), "what") === what);
  if (request === undefined) return "late";
  try {
    await untilTold(() => host.decide(run, request.id, { choice: "approve", by }));
    return "told";
  } catch (error) {
    if (isLoopError(error) && error.code === "REQUEST_UNKNOWN") return "late";
    throw error;
  }
}

async function approveAll(approvals: readonly Approval[]): Promise<void> {
  const left = [...approvals];
  const said = { told: 0, late: 0 };
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      said[await approve(next)] += 1;
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  process.send?.(said);
}

// One who fails ends, and is missed.
process.on("message", (approvals: Approval[]) => void approveAll(approvals));
process.on("disconnect", () => process.exit());
process.send?.("ready");

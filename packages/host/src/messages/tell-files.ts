/** Tells a run what a person says of its files, after they were shown what that means. */
import { createContent } from "@turnseal/kernel";
import type { Inbox, InboxMessage, PutAnswer, Stores } from "@turnseal/ports";
import type { Identity, JsonObject } from "@turnseal/protocol";
import type { AdoptionPlan } from "../drift/adopt-files.ts";
import type { ReconcilePlan } from "../drift/plan-reconciliation.ts";
import { HostError } from "../host-error.ts";
import { adoptMessage, reconcileMessage } from "./inbox-messages.ts";

export interface TellPorts {
  readonly stores: Pick<Stores, "blobs">;
  readonly put: Inbox["put"];
}

/** The answer of the inbox, and the key that finds the event later. */
export type ToldFiles = PutAnswer & { readonly key: string };

type Planned<Plan> = Extract<Plan, { readonly kind: "planned" }>;

/** Says yes to a reconciliation. */
export async function tellReconciliation(
  run: string,
  planned: Pick<Planned<ReconcilePlan>, "plan" | "blobs"> & { readonly by: Identity },
  { stores, put }: TellPorts,
): Promise<ToldFiles> {
  const { plan, by } = planned;
  const shown = await keep(run, planned, stores);
  return tell(reconcileMessage(run, { root: plan.root, shown, by }), put);
}

/** Says yes to an adoption. */
export async function tellAdoption(
  run: string,
  planned: Pick<Planned<AdoptionPlan>, "plan" | "blobs"> & { readonly by: Identity },
  { stores, put }: TellPorts,
): Promise<ToldFiles> {
  const { plan, by } = planned;
  const shown = await keep(run, planned, stores);
  return tell(adoptMessage(run, { root: plan.root, shown, by }), put);
}

async function tell(message: InboxMessage, put: Inbox["put"]): Promise<ToldFiles> {
  return { ...(await put(message)), key: message.key };
}

/** Content is stored before a message names it. */
async function keep(
  run: string,
  { plan, blobs }: Pick<Planned<ReconcilePlan | AdoptionPlan>, "plan" | "blobs">,
  { blobs: store }: Pick<Stores, "blobs">,
) {
  const key = await store.readKey(run);
  if (key === undefined) throw new HostError("FILE_REFUSED", "the content of the run was erased");
  for (const blob of blobs) await store.put(run, blob);
  // Plain data: texts, counts and lists of them.
  const document = createContent(run, key, store).seal(plan as unknown as JsonObject);
  await store.put(run, document);
  const { digest, size, mediaType } = document;
  return { digest, size, mediaType };
}

/** Runs that start each other, made by hand: one turn each, signed with the demo key. */
import { type JsonObject, type RawEvent, uuidFrom } from "@turnseal/protocol";
import { DEMO_KEY, type ParentClaim } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import { type MadeReceipt, type MadeRun, sealRun, signStatement } from "./seal-events.ts";

export interface Member {
  readonly name: string;
  readonly parent?: ParentClaim;
  /** Runs that the turn starts, by name, with the final receipt where there is one. */
  readonly children?: readonly { readonly name: string; readonly receipt: string | null }[];
}

const at = "2026-01-01T00:00:00.000Z";
const grant = { grantor: "alice", tools: [], budget: {} };
const none = { settled: {}, assumed: {}, open: {} };
const reference = {
  digest: `hmac-sha256:${"0".repeat(64)}`,
  size: 2,
  mediaType: "application/json",
};

export function runId(name: string): string {
  return uuidFrom(`family\n${name}`);
}

/** A run of one turn that starts other runs. */
export function makeMember({ name, parent, children = [] }: Member): MadeRun {
  const run = runId(name);
  const draft = (type: string, content: JsonObject, turn?: number): RawEvent => ({
    id: uuidFrom(`${run}\n${type}\n${JSON.stringify(content)}`),
    run,
    sequence: 0,
    epoch: 1,
    type,
    at,
    actor: { kind: "kernel", id: "kernel" },
    ...(turn === undefined ? {} : { turn }),
    content,
    previous: "",
    hash: "",
  });
  const handoffs = children.flatMap((child, index) => {
    const key = `${name}/${index}`;
    const claim = 3 + settledBefore(children, index);
    const facts = { action: "handoff", key, digest: "", effect: "idempotent", reserve: {} };
    const settled = { action: "handoff", key, claim, status: "ok", reserve: {}, spent: {} };
    const claimed = draft("action.claimed", { ...facts, child: runId(child.name) }, 1);
    // A run that is open has no end.
    return child.receipt === null
      ? [claimed]
      : [claimed, draft("action.settled", { ...settled, receipt: child.receipt }, 1)];
  });
  const events = [
    draft("run.started", { key: "start", spec: { loop: name, version: "1.0.0", grant } }),
    draft("turn.started", startOf(name, parent), 1),
    ...handoffs,
    draft("turn.closed", endOf(), 1),
  ];
  return sealRun({ run, events, receipts: [] });
}

function settledBefore(children: NonNullable<Member["children"]>, index: number): number {
  return children.slice(0, index).reduce((sum, { receipt }) => sum + (receipt === null ? 1 : 2), 0);
}

function startOf(name: string, parent: ParentClaim | undefined): JsonObject {
  return {
    semantics: 1,
    loop: name,
    version: "1.0.0",
    grant,
    spending: none,
    previousReceipt: null,
    input: reference,
    ...(parent === undefined ? {} : { parent: { ...parent } }),
  };
}

function endOf(): JsonObject {
  return {
    outcome: "completed",
    spending: { ...none, settled: { turns: 1 } },
    key: { id: DEMO_KEY.keyId, issuer: DEMO_KEY.issuer },
  };
}

/** The claim by which a run starts its nth child: a parent makes it before the child exists. */
export function claimOf(run: MadeRun, nth = 0): ParentClaim {
  const claims = run.events.filter(({ type }) => type === "action.claimed");
  const { sequence = 0, hash = "" } = claims[nth] ?? {};
  return { run: run.run, turn: 1, sequence, hash };
}

/** The statement of a receipt. */
export function readStatement(text: string): JsonObject & { readonly predicate: JsonObject } {
  return JSON.parse(Buffer.from(JSON.parse(text).payload, "base64").toString("utf8"));
}

/** The receipt again, with other fields in its predicate: a signer can say anything. */
export function signAgain(text: string, fields: JsonObject): MadeReceipt {
  const statement = readStatement(text);
  const predicate = { ...statement.predicate, ...fields };
  return signStatement({ ...statement, predicate }, createSeededSigner());
}

/** A parent with one child that has ended; both sides name each other. */
export function makePair(): { readonly parent: MadeRun; readonly child: MadeRun } {
  // The claim is made before the child's receipt is known, so its hash does not depend on it.
  const open = makeMember({ name: "parent", children: [{ name: "child", receipt: null }] });
  const child = makeMember({ name: "child", parent: claimOf(open) });
  const receipt = receiptIdOf(child.receipts[0] ?? "");
  const parent = makeMember({ name: "parent", children: [{ name: "child", receipt }] });
  return { parent, child };
}

export function receiptIdOf(text: string): string {
  return signAgain(text, {}).id;
}

/**
 * Moves what others told the run into its log. Only the owner of the epoch does so; the rows are
 * marked in the same append.
 */
import type { Appender, EventDraft, Registry } from "@turnseal/kernel";
import { INBOX_READ_MAX, type Inbox, type InboxRow } from "@turnseal/ports";
import { type Actor, type JsonValue, mayResolve } from "@turnseal/protocol";
import { actorOf, readIdentity, refused } from "./inbox-row.ts";
import type { RunProjection } from "./projection/run-projection.ts";
import { takeAnswer, takeDecision } from "./take-decision.ts";
import { takeResult } from "./take-result.ts";

interface InboxTarget {
  readonly appender: Appender;
  readonly inbox: Inbox;
  readonly projection: () => RunProjection;
  readonly registry: Registry;
}

const host: Actor = { kind: "host", id: "host" };

/** Takes in every waiting row and makes them durable, so that their content can be read. */
export async function takeInbox({
  appender,
  inbox,
  projection,
  registry,
}: InboxTarget): Promise<void> {
  for (;;) {
    const rows = await inbox.peek(appender.run);
    for (const row of rows) {
      const draft = toEvent(row, projection(), registry);
      appender.push(() => draft);
      appender.consume(row.key);
    }
    if (rows.length > 0) await appender.flush();
    // One look answers a bounded number: nobody would come back for the rest.
    if (rows.length < INBOX_READ_MAX) return;
  }
}

/**
 * Takes in a waiting cancel and makes it durable. Other rows stay until the turn is over, unless
 * there are so many signals that a cancel could stand behind them.
 */
export async function takeCancel({
  appender,
  inbox,
  projection,
  registry,
}: InboxTarget): Promise<boolean> {
  const rows = await inbox.peek(appender.run);
  const cancels = rows.filter((row) => row.kind === "cancel" && isFor(row, projection()));
  const signals = rows.filter(({ kind }) => kind === "signal");
  const isCancelled = cancels.length > 0;
  const taken = isCancelled ? cancels.slice(0, 1) : rows.length < INBOX_READ_MAX ? [] : signals;
  for (const row of taken) {
    const draft = toEvent(row, projection(), registry);
    appender.push(() => draft);
    appender.consume(row.key);
  }
  if (taken.length > 0) await appender.flush();
  return isCancelled;
}

function toEvent(row: InboxRow, run: RunProjection, registry: Registry): EventDraft {
  const { kind, key, body, receivedAt } = row;
  const turn = run.openTurn === null ? {} : { turn: run.openTurn.turn };
  switch (kind) {
    case "start":
      if (run.spec !== null) return refused(row, "the run has started already");
      return {
        type: "run.started",
        actor: host,
        content: { key, spec: body["spec"] ?? {} },
        attached: {
          input: body["input"] ?? null,
          ...(body["policy"] === undefined ? {} : { policy: body["policy"] }),
          ...(body["guidance"] === undefined ? {} : { guidance: body["guidance"] }),
        },
      };
    case "cancel":
      if (!isFor(row, run)) return refused(row, "that turn is not open");
      return {
        type: "signal.received",
        actor: actorOf(body),
        ...turn,
        content: { kind, key, receivedAt, ...(body["turn"] === undefined ? {} : turnScope) },
      };
    case "signal":
      return {
        type: "signal.received",
        actor: actorOf(body),
        ...turn,
        content: { kind, key, receivedAt, name: String(body["name"]) },
        attached: { payload: body["payload"] ?? null },
      };
    case "resolve":
      return resolveClaim(row, run);
    case "decide":
      return takeDecision(row, run.openTurn, registry);
    case "answer":
      return takeAnswer(row, run.openTurn, registry);
    case "result":
      return takeResult(row, run.openTurn);
  }
}

const turnScope = { scope: "turn" } as const;

/** True for a cancel of the run, and for one of the very turn that is open. */
function isFor({ body }: InboxRow, { openTurn }: RunProjection): boolean {
  return body["turn"] === undefined || body["turn"] === openTurn?.turn;
}

/**
 * A person's word on what became of a claim. It counts only for a claim that is unknown, and only
 * once.
 */
function resolveClaim(row: InboxRow, run: RunProjection): EventDraft {
  const { body } = row;
  const open = run.openTurn;
  const claim = open?.open.find(
    ({ key, hash, isUnknown }) => isUnknown && key === body["key"] && hash === body["claimHash"],
  );
  if (open === null || claim === undefined) return refused(row, "that claim is not unknown");
  const { key, reserve, call, parentCall, effect, role } = claim;
  const { resolution } = body;
  // The answer is an approval of its own: it needs whoever the rule would have asked.
  const by = readIdentity(body);
  if (by.id === "") return refused(row, "identity-missing");
  if (role !== null && !by.roles.includes(role)) return refused(row, "role-missing");
  if (!mayResolve(resolution, { effect, by: "person" })) {
    return refused(row, "a person cannot answer so");
  }
  const result: JsonValue | undefined = body["result"];
  return {
    type: "action.resolved",
    actor: actorOf(body),
    turn: open.turn,
    call,
    ...(parentCall === null ? {} : { parentCall }),
    content: {
      key,
      claim: claim.claim,
      claimHash: claim.hash,
      resolution: String(resolution),
      reserve,
      ...(role === null ? {} : { roles: [...by.roles] }),
    },
    ...(result === undefined ? {} : { attached: { result } }),
  };
}

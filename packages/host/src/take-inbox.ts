/**
 * Moves what others told the run into its log. Only the owner of the epoch does so; the rows are
 * marked in the same append.
 */
import type { Appender, EventDraft } from "@turnseal/kernel";
import { INBOX_READ_MAX, type Inbox, type InboxRow } from "@turnseal/ports";
import { type Actor, type JsonObject, type JsonValue, mayResolve } from "@turnseal/protocol";
import type { RunProjection } from "./projection/run-projection.ts";

interface InboxTarget {
  readonly appender: Appender;
  readonly inbox: Inbox;
  readonly projection: () => RunProjection;
}

const host: Actor = { kind: "host", id: "host" };

/** Takes in every waiting row and makes them durable, so that their content can be read. */
export async function takeInbox({ appender, inbox, projection }: InboxTarget): Promise<void> {
  const rows = await inbox.peek(appender.run);
  for (const row of rows) {
    const draft = toEvent(row, projection());
    appender.push(() => draft);
    appender.consume(row.key);
  }
  if (rows.length > 0) await appender.flush();
}

/**
 * Takes in a waiting cancel and makes it durable. Other rows stay until the turn is over, unless
 * there are so many signals that a cancel could stand behind them.
 */
export async function takeCancel({ appender, inbox, projection }: InboxTarget): Promise<boolean> {
  const rows = await inbox.peek(appender.run);
  const cancels = rows.filter(({ kind }) => kind === "cancel");
  const signals = rows.filter(({ kind }) => kind === "signal");
  const isCancelled = cancels.length > 0;
  const taken = isCancelled ? cancels.slice(0, 1) : rows.length < INBOX_READ_MAX ? [] : signals;
  for (const row of taken) {
    const draft = toEvent(row, projection());
    appender.push(() => draft);
    appender.consume(row.key);
  }
  if (taken.length > 0) await appender.flush();
  return isCancelled;
}

function toEvent(row: InboxRow, run: RunProjection): EventDraft {
  const { kind, key, body, receivedAt } = row;
  const turn = run.openTurn === null ? {} : { turn: run.openTurn.turn };
  switch (kind) {
    case "start":
      if (run.spec !== null) return refused(row, "the run has started already");
      return {
        type: "run.started",
        actor: host,
        content: { key, spec: body["spec"] ?? {} },
        attached: { input: body["input"] ?? null },
      };
    case "cancel":
      return {
        type: "signal.received",
        actor: actorOf(body),
        ...turn,
        content: { kind, key, receivedAt },
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
  }
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
  const { key, reserve, call, parentCall, effect } = claim;
  const { resolution } = body;
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
    },
    ...(result === undefined ? {} : { attached: { result } }),
  };
}

function refused({ kind, key, body, receivedAt }: InboxRow, why: string): EventDraft {
  return {
    type: "signal.received",
    actor: actorOf(body),
    content: { kind: "refused", of: kind, key, receivedAt, why },
  };
}

function actorOf(body: JsonObject): Actor {
  return { kind: "person", id: String(body["by"] ?? "unknown") };
}

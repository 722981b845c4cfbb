/**
 * Reports executions of models, tools and other runs (`runtime_execution`), and their costs
 * (`cost_budget`).
 *
 * A claim begins an execution, and its settlement or resolution ends it. An execution with an
 * unknown end has none.
 */
import {
  type Amounts,
  type ContentOf,
  type EventOf,
  foldSpending,
  type JsonObject,
  keepsReservation,
  type LoopEvent,
  NO_SPENDING,
  nameAction,
  type Spending,
} from "@turnseal/protocol";
import { nameIn, type TellMplp } from "./mplp-event.ts";

type Claim = ContentOf<"action.claimed">;

export interface Executions {
  /** Counts an event, before it is reported. */
  count(event: LoopEvent): void;
  begin(event: EventOf<"action.claimed">): void;
  settle(event: EventOf<"action.settled">): void;
  resolve(event: EventOf<"action.resolved">): void;
  exceed(event: EventOf<"run.stopped">): void;
  summarize(event: EventOf<"turn.closed">): void;
}

const kinds = {
  model: { executor: "llm", word: "llm_call" },
  tool: { executor: "tool", word: "tool_execution" },
  handoff: { executor: "agent", word: "agent_execution" },
} as const;

const endings = {
  ...{ ok: "completed", failed: "failed", "timed-out": "failed", cancelled: "cancelled" },
} as const;

export function tellExecutions(run: string, tell: TellMplp): Executions {
  const claims = new Map<number, Claim>();
  let spending: Spending = NO_SPENDING;
  let caps: Amounts = {};
  const describe = (claim: Claim, sequence: number): JsonObject => ({
    event_family: "runtime_execution",
    execution_id: nameIn(run, "execution", sequence),
    executor_kind: kinds[claim.action].executor,
  });
  const cost = (amounts: Amounts, how: JsonObject): void => {
    const spent = describeCost(amounts);
    if (spent === undefined) return;
    const remaining = listRemaining(caps, spending);
    const left = remaining === undefined ? {} : { budget_remaining: remaining };
    const payload = { ...spent, ...left, ...how };
    tell("token_usage_recorded", { event_family: "cost_budget", payload });
  };
  const end = (sequence: number, status: string, payload: JsonObject): Claim | undefined => {
    const claim = claims.get(sequence);
    claims.delete(sequence);
    if (claim === undefined) return undefined;
    const said = { operation: nameAction(claim), ...payload };
    const type = `${kinds[claim.action].word}_completed`;
    tell(type, { ...describe(claim, sequence), status, payload: said });
    return claim;
  };
  return {
    count: (event) => {
      spending = foldSpending(spending, event);
      if (event.type === "run.started") caps = event.content.spec.grant.budget;
    },
    begin: ({ sequence, content }) => {
      // A held action is executed by the claim that replaces it, if at all.
      if ("held" in content) return;
      claims.set(sequence, content);
      tell(`${kinds[content.action].word}_started`, {
        ...{ ...describe(content, sequence), status: "running" },
        payload: { operation: nameAction(content), ...modelOf(content) },
      });
    },
    settle: ({ content }) => {
      const { durationMs, claim: sequence, status, spent } = content;
      const model = modelOf(claims.get(sequence));
      const used = { duration_ms: durationMs, ...model, ...countTokens(content) };
      end(sequence, endings[status], used);
      cost(spent, model);
    },
    resolve: ({ content: { claim, resolution, reserve } }) => {
      const model = modelOf(claims.get(claim));
      end(claim, resolution === "happened" ? "completed" : "failed", { ...model, resolution });
      // With an unknown cost the reservation counts.
      if (!keepsReservation(resolution)) cost(reserve, { ...model, assumed: true });
    },
    exceed: ({ content: { reason } }) => {
      if (reason === "budget-exhausted")
        tell("budget_exceeded", { event_family: "cost_budget", payload: totals(spending) });
    },
    summarize: ({ content }) => {
      const payload = totals(content.spending);
      tell("trace_cost_summary", { event_family: "cost_budget", payload });
    },
  };
}

function modelOf(claim: Claim | undefined): JsonObject {
  return claim?.action === "model" ? { model: claim.model } : {};
}

function countTokens(content: ContentOf<"action.settled">): JsonObject {
  if (content.action !== "model") return {};
  const { inputTokens, outputTokens } = content;
  return {
    ...(inputTokens === undefined ? {} : { tokens_in: inputTokens }),
    ...(outputTokens === undefined ? {} : { tokens_out: outputTokens }),
  };
}

/** Tokens and money, which is in the currency of the prices: the log does not say which. */
function describeCost(amounts: Amounts): JsonObject | undefined {
  const { inputTokens, outputTokens, moneyMicros } = amounts;
  if ((inputTokens ?? outputTokens ?? moneyMicros) === undefined) return undefined;
  return {
    tokens_used: (inputTokens ?? 0) + (outputTokens ?? 0),
    ...(moneyMicros === undefined ? {} : { cost_micros: moneyMicros }),
  };
}

function totals({ settled, assumed }: Spending): JsonObject {
  const sum = (unit: "inputTokens" | "outputTokens" | "moneyMicros"): number =>
    (settled[unit] ?? 0) + (assumed[unit] ?? 0);
  return {
    tokens_used: sum("inputTokens") + sum("outputTokens"),
    cost_micros: sum("moneyMicros"),
  };
}

/** The rest of each cap of the run, after settled, assumed and reserved amounts. */
function listRemaining(caps: Amounts, spending: Spending): JsonObject | undefined {
  const units = Object.entries(caps) as [keyof Amounts, number][];
  if (units.length === 0) return undefined;
  const { settled, assumed, open } = spending;
  return Object.fromEntries(
    units.map(([unit, cap]) => [
      unit,
      Math.max(0, cap - (settled[unit] ?? 0) - (assumed[unit] ?? 0) - (open[unit] ?? 0)),
    ]),
  );
}

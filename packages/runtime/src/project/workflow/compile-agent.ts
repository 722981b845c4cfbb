/**
 * A workflow without steps and states: a model decides, turn by turn, until it says that nothing
 * is left to do, or gets nowhere.
 */
import type { FlowNode, Mapping, PromptSpec } from "@turnseal/protocol";
import type { Place } from "./compile-call.ts";
import { compileDecision } from "./compile-round.ts";
import type { Sight } from "./compiling.ts";
import type { StallTable } from "./workflow-document.ts";

/** Turns at most, where a file does not say. */
export const TURNS_DEFAULT = 20;
const SAME_ACTION_DEFAULT = 5;
const SAME_FAILURE_DEFAULT = 3;

interface AgentRequest {
  readonly sight: Sight;
  readonly maxTurns: number;
  readonly stall: StallTable;
}

/** What an action is counted by: its verb and its target. */
const keyOf = (action: string): string =>
  `${action}.verb + " " + (has(${action}.target) ? ${action}.target : "")`;
const FAILED_BEFORE = "(last == null ? [] : last.failed)";

export function compileAgent(
  { sight, maxTurns, stall }: AgentRequest,
  place: Place,
): FlowNode | undefined {
  const {
    same_action = SAME_ACTION_DEFAULT,
    same_failure = SAME_FAILURE_DEFAULT,
    fallback = "report",
  } = stall;
  const isTried = `${FAILED_BEFORE}.filter(f, f == ${keyOf("action")}).size() < ${same_failure}`;
  const nodes = compileDecision(
    {
      ...{ prefix: "", name: "decide", task: "{task}", sight },
      more: {
        results: { cel: "last == null ? [] : last.results" },
        ...(fallback === "alternative" ? { failed: { cel: FAILED_BEFORE } } : {}),
      },
      ...(fallback === "report" ? {} : { unlessStuck: isTried }),
      context: describeThread(sight),
    },
    place,
  );
  if (nodes === undefined) return undefined;
  const isStuck = fallback === "report" ? " || last.stuck" : "";
  return {
    kind: "sequence",
    nodes: [
      {
        ...{ kind: "repeat", name: "turns", scope: "shared", max: maxTurns, onMax: "continue" },
        until: `last.done || last.same >= ${same_action}${isStuck}`,
        body: { kind: "sequence", nodes, outputMapping: countTurn(same_failure) },
      },
    ],
    outputMapping: {
      done: "$.turns.output.done",
      stopped: { cel: tellStop(same_action, fallback === "report") },
      results: "$.turns.output.results",
    },
  };
}

/** Each turn is shown what was said in the turns before, as the strategy of the file has it. */
function describeThread({ strategies }: Sight): Pick<PromptSpec, "thread" | "context"> {
  const { strategy, last } = strategies.context;
  if (strategy === "none") return {};
  if (strategy === "flat") return { thread: true, context: { strategy, last } };
  return {
    thread: true,
    context: { strategy: strategy === "task_tree" ? "task-tree" : "task-list" },
  };
}

/** What the next turn has to know of this one. */
function countTurn(same_failure: number): Mapping {
  const hasFailed = 'has(a.status) && a.status == "error"';
  const key = keyOf("a");
  return {
    done: "$.decision.output.done",
    actions: "$.decision.output.actions",
    results: "$.acts.output",
    same: {
      cel: "last != null && last.actions == decision.output.actions ? last.same + 1 : 1",
    },
    failed: { cel: `${FAILED_BEFORE} + acts.output.map(a, ${hasFailed}, ${key})` },
    stuck: {
      cel: `acts.output.exists(a, ${hasFailed} && ${FAILED_BEFORE}.filter(f, f == ${key}).size() + 1 >= ${same_failure})`,
    },
  };
}

function tellStop(same_action: number, isReported: boolean): string {
  const stalled = `turns.output.same >= ${same_action} ? "stalled" : `;
  const stuck = isReported ? 'turns.output.stuck ? "repeated-failure" : ' : "";
  return `turns.output.done ? "done" : ${stalled}${stuck}"max-turns"`;
}

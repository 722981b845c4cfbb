/**
 * A workflow without steps and states: a model decides, turn by turn, until it says that nothing
 * is left to do, or gets nowhere.
 */
import type { FlowNode, Mapping, PromptSpec } from "@turnseal/protocol";
import { countParts, keyOf, NOTE_VERBS, OWN_NOTES, sendNotes, startParts } from "./agent-notes.ts";
import type { Place } from "./compile-call.ts";
import { compileDecision } from "./compile-round.ts";
import { addProblem, type Sight } from "./compiling.ts";
import { FETCH_VERB } from "./fetch-loop.ts";
import type { StallTable } from "./workflow-document.ts";

/** Turns at most, where a file does not say. */
export const TURNS_DEFAULT = 20;
const SAME_ACTION_DEFAULT = 5;
const SAME_FAILURE_DEFAULT = 3;
/** Actions that its answer lists at most. */
export const DID_MAX = 100;

interface AgentRequest {
  readonly sight: Sight;
  readonly maxTurns: number;
  readonly stall: StallTable;
}

const FAILED_BEFORE = "(last == null ? [] : last.failed)";
const HAS_FAILED = 'has(a.status) && a.status == "error"';

export function compileAgent(
  { sight, maxTurns, stall }: AgentRequest,
  place: Place,
): FlowNode | undefined {
  refuseOwnVerbs(place);
  const {
    same_action = SAME_ACTION_DEFAULT,
    same_failure = SAME_FAILURE_DEFAULT,
    fallback = "report",
  } = stall;
  const isTried = `${FAILED_BEFORE}.filter(f, f == ${keyOf("action")}).size() < ${same_failure}`;
  const { strategy } = sight.strategies.context;
  const nodes = compileDecision(
    {
      ...{ prefix: "", name: "decide", task: "{task}", sight },
      more: {
        results: { cel: "last == null ? [] : last.results" },
        ...(strategy === "task_tree" ? { left: { cel: "last == null ? [] : last.left" } } : {}),
        ...(fallback === "alternative" ? { failed: { cel: FAILED_BEFORE } } : {}),
      },
      ...(fallback === "report" ? {} : { unlessStuck: isTried }),
      agent: { hasNotes: strategy !== "none", noted: sendNotes(strategy) },
      context: describeThread(sight),
    },
    place,
  );
  if (nodes === undefined) return undefined;
  const isStuck = fallback === "report" ? " || last.stuck" : "";
  const counted: FlowNode = {
    ...{ kind: "sequence", name: "parts", nodes },
    outputMapping: { ...countTurn(same_failure, sight), ...startParts() },
  };
  return {
    kind: "sequence",
    nodes: [
      {
        ...{ kind: "repeat", name: "turns", scope: "shared", max: maxTurns, onMax: "continue" },
        until: `last.done || last.same >= ${same_action}${isStuck}`,
        body: { kind: "sequence", nodes: [counted], outputMapping: countParts() },
      },
    ],
    outputMapping: tellEnd(same_action, fallback === "report"),
  };
}

/** The turn sees earlier turns as the strategy of the file says. */
function describeThread({
  strategies,
}: Sight): Pick<PromptSpec, "thread" | "context" | "notesFrom"> {
  const { strategy, last } = strategies.context;
  if (strategy === "none") return {};
  const notesFrom = OWN_NOTES;
  if (strategy === "flat") return { thread: true, context: { strategy, last }, notesFrom };
  const tasks = strategy === "task_tree" ? "task-tree" : "task-list";
  return { thread: true, context: { strategy: tasks }, notesFrom };
}

const ANSWER = 'has(decision.output.answer) ? decision.output.answer : ""';
/** Of a model that answers in lines, those that are no actions. */
const PROSE = "decision.output.thinking";

/** The results of this turn that the next one needs. */
function countTurn(same_failure: number, { strategies: { llm } }: Sight): Mapping {
  const key = keyOf("a");
  const did = "(last == null ? [] : last.did)";
  const done = `acts.output.map(a, has(a.status) && a.status == "ok", ${key})`;
  // An action that succeeds again moves to the end.
  const all = `(${did}.filter(d, !(d in ${done})) + ${done})`;
  return {
    done: "$.decision.output.done",
    answer: { cel: llm !== false && llm?.format === "text" ? PROSE : ANSWER },
    actions: "$.decision.output.actions",
    results: "$.acts.output",
    did: { cel: `${all}.size() > ${DID_MAX} ? ${did} : ${all}` },
    same: {
      cel: "last != null && last.actions == decision.output.actions ? last.same + 1 : 1",
    },
    failed: { cel: `${FAILED_BEFORE} + acts.output.map(a, ${HAS_FAILED}, ${key})` },
    stuck: {
      cel: `acts.output.exists(a, ${HAS_FAILED} && ${FAILED_BEFORE}.filter(f, f == ${key}).size() + 1 >= ${same_failure})`,
    },
  };
}

/** What the agent gives: words for a person first, then the facts behind them. */
function tellEnd(same_action: number, isReported: boolean): Mapping {
  const stalled = `turns.output.same >= ${same_action} ? "stalled" : `;
  const stuck = isReported ? 'turns.output.stuck ? "repeated-failure" : ' : "";
  const short = `${stalled}${stuck}"max-turns"`;
  const said =
    'turns.output.answer != "" ? turns.output.answer : "The model says that nothing is left to do."';
  const counts =
    'string(turns.output.did.size()) + " actions were carried out, and " + ' +
    'string(turns.output.left.size()) + " named parts are left."';
  return {
    text: {
      cel: `turns.output.done ? (${said}) : "Not finished: " + (${short}) + ". " + ${counts}`,
    },
    done: "$.turns.output.done",
    stopped: { cel: `turns.output.done ? "done" : ${short}` },
    did: "$.turns.output.did",
    left: {
      cel: "turns.output.done || turns.output.left.size() > 0 ? turns.output.left : [input.task]",
    },
    results: "$.turns.output.results",
  };
}

/** The verbs of the agent itself stand for no loop. */
function refuseOwnVerbs({ compiling }: Place): void {
  const own = [FETCH_VERB, ...Object.keys(NOTE_VERBS)];
  for (const [word, id] of compiling.verbs)
    if (own.includes(word) || own.includes(id))
      addProblem(compiling, {
        rule: "binding-name",
        path: `/workflow/verbs/${id}`,
        message: `\`${word}\` is a verb of the agent itself`,
        mend: "choose another word, and another id for the loop",
      });
}

/** Judges grants and policies as data (spec/conformance.md, "Judging"). */
import { type Judged, parseJudge } from "@turnseal/conformance/program";
import { compileCondition, decide, readPolicy } from "@turnseal/kernel";
import {
  type Amounts,
  admit,
  attenuate,
  containsGlob,
  type Effect,
  findExcess,
  fitsPattern,
  type Grant,
  isToolReference,
  type JsonObject,
  type JsonValue,
  matchesGlob,
  type PolicyFacts,
  parseGrant,
  parsePolicy,
  type Spending,
} from "@turnseal/protocol";
import { graphJudges } from "./judge-graph.ts";
import { type Judge, sessionJudges } from "./judge-session.ts";

type Answer = Readonly<Record<string, unknown>>;

export async function answerJudge(params: unknown): Promise<Answer> {
  const { what, given } = parseJudge(params, "judge");
  const judge: Judge = { ...judges, ...sessionJudges, ...graphJudges }[what];
  return (await judge(given as JsonObject)) as Answer;
}

const judges: Readonly<Record<Judged, Judge>> = {
  pattern: ({ pattern, arguments: given }) => ({ fits: fitsPattern(pattern, given) }),
  "tool-reference": ({ reference }) => ({ valid: isToolReference(reference as string) }),
  scope: judgeScopes,
  "glob-containment": ({ inner, outer }) => ({
    within: containsGlob(String(outer), String(inner)),
  }),
  "glob-match": ({ pattern, path }) => ({ matches: matchesGlob(String(pattern), String(path)) }),
  admit: ({ grant, tool, needs, at, holds }) =>
    admit(
      grant as unknown as Grant,
      { tool: String(tool), needs: needs as object },
      Date.parse(String(at)),
      (condition) => (holds as readonly string[]).includes(condition),
    ),
  attenuate: ({ parent, requested }) => attenuate(parent as unknown as Grant, requested),
  excess: ({ grant, spending, wanted, at }) => ({
    excess:
      findExcess(grant as unknown as Grant, spending as unknown as Spending, {
        wanted: wanted as unknown as Amounts,
        at: String(at),
      }) ?? null,
  }),
  policy: (given) => {
    const parsed = parsePolicy(given);
    if (parsed.kind === "parsed") return { kind: "parsed" };
    return { kind: "refused", problems: parsed.problems.map(({ rule, path }) => [rule, path]) };
  },
  decide: ({ rules, tool, effect, args = null }) => {
    const facts = factsOf(args, { name: String(tool), effect: effect as Effect });
    const { rule, ...decision } = decide(readPolicy({ name: "p", rules } as JsonObject), facts);
    const said = { mayStand: null, ...decision };
    return rule === undefined ? said : { ...said, rule: rule.id };
  },
  condition: ({ when, args = null }) => {
    const compiled = compileCondition(String(when));
    if (compiled.kind === "refused") return { refused: true };
    const holds = compiled.condition(factsOf(args));
    return typeof holds === "boolean" ? { holds } : { failure: holds };
  },
};

function judgeScopes({ granted, requested, firstParty }: JsonObject): object {
  const whole = { grantor: "alice", tools: ["fs.read"], scopes: granted, budget: {} };
  const grant = parseGrant(whole, { isFirstParty: firstParty === true });
  if ("problem" in grant) return { kind: "refused" };
  return admit(grant, { tool: "fs.read", needs: { scopes: requested as string[] } }, 0);
}

/** The facts that conditions are judged by, where a vector names only some of them. */
function factsOf(args: JsonValue, tool: Partial<PolicyFacts["tool"]> = {}): PolicyFacts {
  return {
    tool: { name: "local.pay", version: "1.0.0", effect: "once", ...tool },
    args,
    grant: { grantor: "alice", tools: ["local.pay"], budget: { toolCalls: 5 } },
    spend: { toolCalls: 3 },
    needs: { amounts: { "payments.cents": 1200 } },
    run: { id: "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d", turn: 2 },
  };
}

/**
 * Vectors of the specification that need no run, as cases of one step: canonical JSON, chains of
 * events, and a verifier's findings in receipts.
 */
import {
  GRAPH_JUDGED,
  type GraphJudged,
  JUDGED,
  type Judged,
  SESSION_JUDGED,
  type SessionJudged,
} from "../program/judged.ts";
import { parseExactFields, parseJson, parseTable, parseText } from "../shape.ts";
import { type CaseStep, parseStepCase, type StepCase } from "./step-case.ts";

/** One folder or file of data, and the request for each of its vectors. */
export interface DataSource {
  readonly topic: string;
  readonly ask: CaseStep["ask"];
  /** For `judge`: the subject of each of its vectors. */
  readonly what?: Judged | SessionJudged | GraphJudged;
  /** From the folder of all vectors. */
  readonly files: readonly string[];
}

export const DATA_SOURCES: readonly DataSource[] = [
  { topic: "canonical-json", ask: "canonicalize", files: ["canonical-json/canonicalize.json"] },
  { topic: "chain", ask: "checkChain", files: ["log/chain.json"] },
  {
    topic: "receipt",
    ask: "verify",
    files: [
      "receipt/valid-runs.json",
      "receipt/unsealed-runs.json",
      "receipt/spoiled-receipts.json",
      "receipt/spoiled-events.json",
      "receipt/broken-budgets.json",
      "receipt-conduct/broken-conduct.json",
      "receipt-conduct/broken-groups.json",
      "receipt-conduct/broken-items.json",
      "receipt-conduct/late-words.json",
    ],
  },
  {
    topic: "receipt-set",
    ask: "verify",
    files: ["receipt-set/sets.json", "receipt-set/handoffs.json", "receipt-set/families.json"],
  },
];

/** The files of the vectors that are judged without a run. */
const judgedIn: Readonly<Record<Judged, string>> = {
  "tool-reference": "grant/tool-reference.json",
  scope: "grant/scope.json",
  "glob-containment": "grant/glob-containment.json",
  "glob-match": "grant/glob-match.json",
  admit: "grant/admit.json",
  attenuate: "grant/attenuate.json",
  excess: "grant/excess.json",
  policy: "policy/parse.json",
  decide: "policy/decide.json",
  condition: "policy/condition.json",
  pattern: "approval/patterns.json",
};

/** The vectors for runs with rules, approvals and handoffs. */
export const GOVERNED_SOURCES: readonly DataSource[] = [
  ...JUDGED.map(
    (what): DataSource => ({ topic: what, ask: "judge", what, files: [judgedIn[what]] }),
  ),
  {
    topic: "receipt-governed",
    ask: "verify",
    files: [
      "receipt/approved-runs.json",
      "receipt/governed-runs.json",
      "receipt-conduct/broken-approvals.json",
      "receipt-conduct/broken-separation.json",
      "receipt-conduct/broken-plans.json",
      "receipt-conduct/broken-standing.json",
      "receipt-conduct/broken-rollbacks.json",
      "receipt-conduct/broken-grants.json",
    ],
  },
  { topic: "receipt-tree", ask: "verify", files: ["governed-trees/trees.json"] },
];

/** The parts of a session. */
export const SESSION_SOURCES: readonly DataSource[] = SESSION_JUDGED.map(
  (what): DataSource => ({ topic: what, ask: "judge", what, files: [`session/${what}.json`] }),
);

/** The parts of a graph. */
export const GRAPH_SOURCES: readonly DataSource[] = GRAPH_JUDGED.map(
  (what): DataSource => ({ topic: what, ask: "judge", what, files: [`graph/${what}.json`] }),
);

const parseVector = parseExactFields(
  { description: parseText, input: parseJson, expect: parseTable(parseJson) },
  { name: parseText },
);

/** The case that asks about one vector. */
export function toDataCase(value: unknown, source: DataSource, where: string): StepCase {
  const { topic, ask, what } = source;
  const { name, description, input, expect } = parseVector(value, where);
  return parseStepCase(
    {
      name: `${topic}/${toWords(name ?? description)}`,
      description,
      steps: [
        {
          ask,
          with: what === undefined ? input : { what, given: input },
          expect: { answer: expect },
        },
      ],
    },
    where,
  );
}

/** A sentence as part of a name. */
function toWords(text: string): string {
  const words = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return words.replace(/^-/, "").replace(/-$/, "");
}

import { FINDING_CODES } from "@turnseal/protocol/receipts";
import { alignColumns } from "../tools/command/align-columns.ts";
import { wholeNumber } from "../tools/command/options.ts";
import { runCorpus } from "./corpus/run-corpus.ts";
import { isMet, prove } from "./kit/prove.ts";

await prove(
  {
    name: "corpus",
    about: [
      "Makes runs, trees and sets of receipts, honest ones and spoiled ones that are signed again, and",
      "lets both verifiers judge each: ours, and the second one, which is written in Python. They must",
      "agree on the verdict, on every code and on every place; honest ones must be accepted; and every",
      "code of the specification must come up. Exits with 1 when one of these does not hold.",
    ],
    needs: "Python with its package cryptography",
    lasts: "about two minutes",
    options: {
      count: wholeNumber({ takes: "cases", says: "how many cases", default: 5_000, atLeast: 1 }),
      seed: wholeNumber({
        takes: "number",
        says: "the same seed gives the same cases",
        default: 1,
      }),
      case: wholeNumber({
        takes: "number",
        says: "only this case of the seed, with both verdicts",
        default: undefined,
        atLeast: 0,
      }),
    },
  },
  async ({ seed, case: only, count: wanted }, say) => {
    const count = only === undefined ? wanted : 1;
    const result = await runCorpus({ seed, first: only ?? 0, count, say });
    const rows = [...result.kinds].map(([kind, { cases, refused, open }]) => [
      kind,
      ...[cases, refused, open].map(String),
    ]);
    const unreached = FINDING_CODES.filter((code) => !result.codes.has(code));
    const figures = {
      cases: count,
      disagreed: result.disagreements.length,
      honestRefused: result.honestRefused.length,
      codesUnreached: only === undefined ? unreached.length : 0,
    };
    const goals = { disagreed: 0, honestRefused: 0, codesUnreached: 0 };
    const lines = [
      ...alignColumns([["cases", "number", "invalid", "open"], ...rows]),
      "",
      ...alignColumns([
        ["code", "cases"],
        ...FINDING_CODES.map((code) => [code, String(result.codes.get(code) ?? 0)]),
      ]),
      "",
      ...(only === undefined ? [] : [result.lastVerdict]),
      isMet(figures, goals) ? "the verifiers agree on every case" : "NOT everything holds",
    ];
    const problems = [
      ...(figures.codesUnreached > 0 ? [`never found: ${unreached.join(", ")}`] : []),
      ...result.honestRefused.map((name) => `honest, and not accepted: ${name}`),
      ...result.disagreements.map(
        ({ index, kind, ours, theirs }) =>
          `case ${index}, ${kind}\n  ours:   ${ours}\n  second: ${theirs}`,
      ),
    ];
    return { figures, goals, lines, problems };
  },
);

import { FINDING_CODES } from "@turnseal/protocol/receipts";
import { alignColumns } from "../tools/command/align-columns.ts";
import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { runCorpus } from "./corpus/run-corpus.ts";

const DISAGREEMENTS_SHOWN_MAX = 20;

const options = readOptions({
  name: "npm run corpus",
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
    seed: wholeNumber({ takes: "number", says: "the same seed gives the same cases", default: 1 }),
    case: wholeNumber({
      takes: "number",
      says: "only this case of the seed, with both verdicts",
      default: undefined,
      atLeast: 0,
    }),
    json,
  },
});
const { seed } = options;
const say = createProgress();
const first = options.case ?? 0;
const count = options.case === undefined ? options.count : 1;
const result = await runCorpus({ seed, first, count, say });

const rows = [...result.kinds].map(([kind, { cases, refused, open }]) => [
  kind,
  ...[cases, refused, open].map(String),
]);
print([["cases", "number", "invalid", "open"], ...rows]);
print([
  ["code", "cases"],
  ...FINDING_CODES.map((code) => [code, String(result.codes.get(code) ?? 0)]),
]);
for (const { index, kind, ours, theirs } of result.disagreements.slice(0, DISAGREEMENTS_SHOWN_MAX))
  process.stdout.write(`case ${index}, ${kind}\n  ours:   ${ours}\n  second: ${theirs}\n`);
if (options.case !== undefined) process.stdout.write(`${result.lastVerdict}\n`);

const unreached = FINDING_CODES.filter((code) => !result.codes.has(code));
const figures = {
  cases: count,
  disagreed: result.disagreements.length,
  honestRefused: result.honestRefused.length,
  codesUnreached: options.case === undefined ? unreached.length : 0,
};
const goals = { disagreed: 0, honestRefused: 0, codesUnreached: 0 };
const pass = Object.keys(goals).every((name) => figures[name as keyof typeof goals] === 0);
if (figures.honestRefused > 0)
  process.stdout.write(
    `honest, and not accepted: ${result.honestRefused.slice(0, 10).join(", ")}\n`,
  );
if (figures.codesUnreached > 0) process.stdout.write(`never found: ${unreached.join(", ")}\n`);
process.stdout.write(`\n${pass ? "the verifiers agree on every case" : "NOT everything holds"}\n`);
if (options.json) process.stdout.write(`${JSON.stringify({ figures, goals, pass })}\n`);
process.exitCode = pass ? 0 : 1;

function print(rows: readonly (readonly string[])[]): void {
  process.stdout.write(`${alignColumns(rows).join("\n")}\n\n`);
}

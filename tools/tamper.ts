/**
 * Attacks on the receipts of the vectors: every one must be rejected with its code, by our verifier
 * and by the second one.
 *
 * `npm run tamper -- [--json] [--python <n>]`: at most n attempts of each attack go through the
 * second verifier.
 */
import { parseArgs } from "node:util";
import { listAttacks } from "./tamper/attacks.ts";
import { readRuns } from "./tamper/read-runs.ts";
import { type AttackResult, runAttack } from "./tamper/run-attack.ts";

const PYTHON_ATTEMPTS_DEFAULT = 250;

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, python: { type: "string" } },
});
const pythonMax = Number(values.python ?? PYTHON_ATTEMPTS_DEFAULT);
const results: AttackResult[] = [];
print(["attack", "attempts", "ours", "second", "rejected", "codes"]);
for (const attack of listAttacks(readRuns())) {
  const result = await runAttack(attack, pythonMax);
  results.push(result);
  const { attempts, rejected, pythonAttempts, pythonRejected, codes } = result;
  print([attack.name, attempts, rejected, pythonAttempts, pythonRejected, codes.join(" ")]);
}

const sum = (read: (result: AttackResult) => number): number =>
  results.reduce((total, result) => total + read(result), 0);
const figures = {
  attempts: sum(({ attempts }) => attempts),
  secondAttempts: sum(({ pythonAttempts }) => pythonAttempts),
  accepted: sum(({ attempts, rejected }) => attempts - rejected),
  secondAccepted: sum(({ pythonAttempts, pythonRejected }) => pythonAttempts - pythonRejected),
  wrongCodes: sum(({ wrongCodes }) => wrongCodes),
  disagreed: sum(({ disagreed }) => disagreed),
};
const goals = { accepted: 0, secondAccepted: 0, wrongCodes: 0, disagreed: 0 };
const pass = Object.keys(goals).every((name) => figures[name as keyof typeof goals] === 0);
process.stdout.write(
  `\n${pass ? "every attempt was rejected with its code" : "NOT every attempt was rejected"}\n`,
);
if (values.json) process.stdout.write(`${JSON.stringify({ figures, goals, pass })}\n`);
process.exitCode = pass ? 0 : 1;

function print(cells: readonly (string | number)[]): void {
  const [name = "", ...others] = cells;
  const codes = others.pop();
  const numbers = others.map((cell) => String(cell).padStart(9)).join("");
  process.stdout.write(`${String(name).padEnd(42)}${numbers}  ${codes}\n`);
}

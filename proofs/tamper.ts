import { json, wholeNumber } from "../tools/command/options.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { listAttacks } from "./tamper/attacks.ts";
import { attackContext, readTalkedRun } from "./tamper/context-attacks.ts";
import { readRuns } from "./tamper/read-runs.ts";
import { type AttackResult, runAttack } from "./tamper/run-attack.ts";

const options = readOptions({
  name: "npm run proof tamper",
  about: [
    "Attacks the receipts of the vectors: every attempt must be rejected with its code, by our",
    "verifier and by the second one, which is written in Python. Exits with 1 when one is not.",
  ],
  needs: "Python with its package cryptography",
  lasts: "a minute or two",
  options: {
    python: wholeNumber({
      takes: "attempts",
      says: "of each attack, how many go through the second verifier at most",
      default: 250,
      atLeast: 0,
    }),
    json,
  },
});
const results: AttackResult[] = [];
print(["attack", "attempts", "ours", "second", "rejected", "codes"]);
for (const attack of [...listAttacks(readRuns()), attackContext(await readTalkedRun())]) {
  const result = await runAttack(attack, options.python);
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
if (options.json) process.stdout.write(`${JSON.stringify({ figures, goals, pass })}\n`);
process.exitCode = pass ? 0 : 1;

function print(cells: readonly (string | number)[]): void {
  const [name = "", ...others] = cells;
  const codes = others.pop();
  const numbers = others.map((cell) => String(cell).padStart(9)).join("");
  process.stdout.write(`${String(name).padEnd(42)}${numbers}  ${codes}\n`);
}

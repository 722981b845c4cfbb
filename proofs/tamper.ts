import { wholeNumber } from "../tools/command/options.ts";
import { isMet, prove } from "./kit/prove.ts";
import { listAttacks } from "./tamper/attacks.ts";
import { attackContext, readTalkedRun } from "./tamper/context-attacks.ts";
import { readRuns } from "./tamper/read-runs.ts";
import { type AttackResult, runAttack } from "./tamper/run-attack.ts";

await prove(
  {
    name: "proof tamper",
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
    },
  },
  async ({ python }) => {
    const results: AttackResult[] = [];
    print(["attack", "attempts", "ours", "second", "rejected", "codes"]);
    for (const attack of [...listAttacks(readRuns()), attackContext(await readTalkedRun())]) {
      const result = await runAttack(attack, python);
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
    const isRejected = isMet(figures, goals);
    const verdict = isRejected
      ? "every attempt was rejected with its code"
      : "NOT every attempt was rejected";
    return { figures, goals, lines: ["", verdict] };
  },
);

function print(cells: readonly (string | number)[]): void {
  const [name = "", ...others] = cells;
  const codes = others.pop();
  const numbers = others.map((cell) => String(cell).padStart(9)).join("");
  process.stdout.write(`${String(name).padEnd(42)}${numbers}  ${codes}\n`);
}

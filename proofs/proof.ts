import { oneOf, operand } from "../tools/command/options.ts";
import { readOptions } from "../tools/command/read-options.ts";

/** Each is a program of this folder, with what it needs in a folder of its own. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ["archive", "kills the command that archives runs"],
  ["bus", "kills consumers of a bus of events"],
  ["callers", "has two callers of one run act at once"],
  ["chaos", "breaks an engine, a database and workers under load"],
  ["context", "compares the requests to a provider after crashes"],
  ["crash", "kills and freezes workers of payments"],
  ["fan-out", "runs fan-outs inside each other"],
  ["fuzz", "gives broken input to every public entry"],
  ["graph", "changes graphs at random, in every store"],
  ["groups", "has groups succeed, fail and die"],
  ["outage", "takes a provider away in the middle of runs"],
  ["page-chaos", "kills the server of a page in Chromium"],
  ["parked-flows", "deploys over runs that wait inside fan-outs"],
  ["poison", "runs what takes its worker down each time"],
  ["rollback", "fails a plan at each of its steps, and takes it back"],
  ["schema-suite", "runs the official JSON Schema suite"],
  ["session-chaos", "breaks the network of sessions"],
  ["simulate", "simulates runs under crashes, from seeds"],
  ["simulate-flows", "draws flows, and runs each with and without crashes"],
  ["standing", "draws approvals that stand, under crashes, from seeds"],
  ["tamper", "attacks receipts, against two verifiers"],
  ["values", "has writers of one value race in each store"],
]);

const names = [...PROOFS.keys()];
const width = Math.max(...names.map((name) => name.length));
const command = {
  name: "npm run proof",
  about: [
    "Proves one promise by execution, and exits with 1 if it does not hold:",
    "",
    ...[...PROOFS].map(([name, does]) => `  ${name.padEnd(width)}  ${does}`),
    "",
    "Each has options: npm run proof crash -- --help",
  ],
  lasts: "from a minute to hours: each says so itself",
  options: { name: operand(oneOf(names, { takes: "name", says: "what to prove" }), "required") },
};

const name = process.argv[2] ?? "";
// Without a name this only answers: with the usage, or with what is wrong.
if (!PROOFS.has(name)) readOptions(command);
else {
  // The proof reads the rest of the command line.
  process.argv.splice(2, 1);
  await import(`./${name}.ts`);
}

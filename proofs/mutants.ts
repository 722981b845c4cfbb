/** `npm run mutants`: asks the suites and the simulation about faults in the runtime. */
import { spawnSync } from "node:child_process";
import { PROFILES } from "@turnseal/conformance";
import { flag, oneOf, someOf } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { findFailures, suiteMutants } from "./mutants/find-failures.ts";
import { mutants } from "./mutants/mutants.ts";
import { readNoticed, writeNoticed } from "./mutants/noticed-cases.ts";

/** Suites that run at the same time. */
const LANES = 2;
/** What asks the mutants of the suites, of the simulation and of the simulation of flows. */
const TESTS = ["proofs/mutants", "proofs/simulate/mutants", "proofs/simulate-flows/mutants"];

const options = readOptions({
  name: "npm run mutants",
  about: [
    "Puts one fault after another into the runtime: exactly the cases in proofs/mutants/cases must",
    "fail, and some seed of the simulation. Exits with 1 otherwise. With --write it writes the cases",
    "that fail into that folder instead, for a review of the difference.",
  ],
  lasts: "hours for all; with --write about ten seconds for a mutant",
  options: {
    write: flag("write the cases that notice the mutants of the suites"),
    profile: oneOf(PROFILES, { takes: "profile", says: "with --write: only mutants of this one" }),
    mutant: someOf(
      suiteMutants.map(({ name }) => name),
      { takes: "name", says: "with --write: only this one; may be given again" },
    ),
  },
});

process.exitCode = options.write ? await writeCases() : askAll();

function askAll(): number {
  const env = { ...process.env, MUTANTS: "all" };
  const { status } = spawnSync("npx", ["--no", "--", "vitest", "run", ...TESTS], {
    ...{ env, stdio: "inherit" },
  });
  return status ?? 1;
}

/** Each mutant is written when it was asked, so that an interrupted run keeps what it found. */
async function writeCases(): Promise<number> {
  const say = createProgress();
  const isChosen = options.mutant.length === 0 ? () => true : nameIn(options.mutant);
  const chosen = suiteMutants.filter(
    (each) => isChosen(each) && (options.profile ?? each.profile) === each.profile,
  );
  const left = [...chosen];
  const unnoticed: string[] = [];
  const ask = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const cases = await findFailures(mutant);
      if (cases.length === 0) unnoticed.push(mutant.name);
      else keep(mutant.profile, mutant.name, cases);
      say(`${chosen.length - left.length} of ${chosen.length} mutants`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, ask));
  for (const name of unnoticed) console.log(`no case notices ${name}`);
  console.log(`${chosen.length - unnoticed.length} of ${chosen.length} mutants are noticed`);
  return unnoticed.length === 0 ? 0 : 1;
}

function nameIn(names: readonly string[]) {
  return ({ name }: { readonly name: string }): boolean => names.includes(name);
}

/** Mutants that are no longer in the table are dropped. */
function keep(profile: (typeof PROFILES)[number], name: string, cases: readonly string[]): void {
  const known = new Set(mutants[profile].map((each) => each.name));
  const before = [...readNoticed(profile)].filter(([each]) => known.has(each));
  writeNoticed(profile, new Map([...before, [name, cases]]));
}

import { someOf, wholeNumber } from "../tools/command/options.ts";
import { FAULTS } from "./chaos/faults.ts";
import { runFault } from "./chaos/run-fault.ts";
import { type Line, renderTable, summarize } from "./chaos/table.ts";
import { prove } from "./kit/prove.ts";

const names = FAULTS.map(({ name }) => name);
await prove(
  {
    name: "proof chaos",
    about: [
      "Breaks a real engine, a real database and real workers under load, and counts from outside",
      "what that did. Each fault has a world of its own, and the server on the machine is left alone.",
      "Exits with 1 when anything happened twice, was lost, or stands still.",
      "The faults:",
      "",
      ...names.map((name) => `  ${name}`),
    ],
    needs: "the programs of PostgreSQL (initdb, pg_ctl)",
    lasts: "most of an hour on two cores for all faults",
    options: {
      turns: wholeNumber({
        takes: "turns",
        says: "turns under each fault",
        default: 5_000,
        atLeast: 1,
      }),
      fault: someOf(names, { takes: "name", says: "only this one; may be given again" }),
      seed: wholeNumber({ takes: "number", says: "what chance decides by", default: 1 }),
      patience: wholeNumber({
        takes: "seconds",
        says: "how long everything may stand still before it is looked at",
        default: 300,
        atLeast: 0,
      }),
    },
  },
  async ({ turns, seed, patience, fault: named }, say) => {
    const chosen = FAULTS.filter(({ name }) => named.length === 0 || named.includes(name));
    const found: Line[] = [];
    for (const fault of chosen) {
      const line = await runFault(fault, { turns, seed, patienceMs: patience * 1_000, say });
      found.push(line);
      console.error(`${line.name}: ${line.turns} turns in ${Math.round(line.seconds)} s`);
    }
    const notes = chosen.flatMap(({ name, note }) =>
      note === undefined ? [] : [`${name}: ${note}`],
    );
    return { ...summarize(found, turns), lines: [...renderTable(found), ...notes] };
  },
);

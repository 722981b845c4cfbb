/** A proof on one machine and on the durable host, with a tally for each. */
import { oneOf, wholeNumber } from "../../tools/command/options.ts";
import { renderTable } from "../../tools/render-table.ts";
import type { Proven } from "./prove.ts";

const HOSTS = ["local", "durable"] as const;

export type HostName = (typeof HOSTS)[number];

/** What a proof counted on one host. */
interface HostTally {
  readonly kills: number;
  readonly problems: readonly string[];
}

/** The options of a proof that kills at each boundary, on both hosts unless one is named. */
export const HOST_OPTIONS = {
  host: oneOf(HOSTS, { takes: "host", says: "only this one (both unless given)" }),
  every: wholeNumber({
    takes: "n",
    says: "kills at every nth boundary only; the seed says at which it begins",
    default: 1,
    atLeast: 1,
  }),
  seed: wholeNumber({ takes: "number", says: "where it begins", default: 0 }),
};

/** Runs the proof on the chosen hosts; it passes if it killed, and found no problem. */
export async function proveOnHosts<Tally extends HostTally>(
  host: HostName | undefined,
  {
    createTally,
    run,
  }: {
    readonly createTally: () => Tally;
    readonly run: Readonly<Record<HostName, (tally: Tally) => Promise<void>>>;
  },
): Promise<Proven> {
  const tallies = { local: createTally(), durable: createTally() };
  for (const name of HOSTS) if (host === undefined || host === name) await run[name](tallies[name]);
  const { problems: _, ...counts } = tallies.local;
  const columns = ["host", ...Object.keys(counts), "problems"];
  const rows = Object.entries(tallies).map(([name, { problems, ...counted }]) => [
    ...[name, ...Object.values(counted).map(String), String(problems.length)],
  ]);
  const problems = Object.values(tallies).flatMap((tally) => tally.problems);
  const kills = tallies.local.kills + tallies.durable.kills;
  return {
    figures: tallies,
    goals: { problems: 0 },
    pass: problems.length === 0 && kills > 0,
    lines: [renderTable(columns, rows)],
    problems,
  };
}

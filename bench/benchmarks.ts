/** Every benchmark, by its name and with what its usage says. */
import { json, type Options } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions, type ValuesOf } from "../tools/command/read-options.ts";
import type { Command } from "../tools/command/render-usage.ts";
import { benchAdmit } from "./admit.ts";
import { benchAppend } from "./append.ts";
import { benchBurst, burstSizes } from "./burst.ts";
import { benchCall } from "./call.ts";
import { benchContext } from "./context.ts";
import { benchEngine, engineSizes } from "./engine.ts";
import { benchEngineTurns, engineTurnsSizes } from "./engine-turns.ts";
import { benchFiles } from "./files.ts";
import { benchFlood, floodSizes } from "./flood.ts";
import { benchGraph } from "./graph.ts";
import { benchHistory } from "./history.ts";
import { benchItems } from "./items.ts";
import { benchLayout, layoutSizes } from "./layout.ts";
import { benchList } from "./list.ts";
import { benchMemory } from "./memory.ts";
import { benchParked, parkedSizes } from "./parked.ts";
import { benchRepair, repairSizes } from "./repair.ts";
import { type Benchmark, type Report, renderReport } from "./report.ts";
import { benchScan } from "./scan.ts";
import { benchStream } from "./stream.ts";
import { benchSubscribers, subscribersSizes } from "./subscribers.ts";
import { benchTenants, tenantsSizes } from "./tenants.ts";
import { benchTools } from "./tools.ts";
import { benchTurn } from "./turn.ts";
import { benchVerify } from "./verify.ts";

/** A benchmark that people call by its name. */
interface NamedBenchmark {
  readonly measures: string;
  /** Reads the arguments after the name, and measures. */
  run(name: string, args: readonly string[]): Promise<Report>;
}

interface Usage<Sizes extends Options> extends Pick<Command, "needs" | "lasts"> {
  readonly measures: string;
  /** The sizes it can be measured at. */
  readonly sizes: Sizes;
}

function describeBenchmark<Sizes extends Options>(
  measure: Benchmark<ValuesOf<Sizes>>,
  { measures, sizes, ...usage }: Usage<Sizes>,
): NamedBenchmark {
  return {
    measures,
    run: async (name, args) => {
      const about = [`Measures ${measures}.`, "Exits with 1 when a goal is missed."];
      const options = { ...sizes, json };
      const asked = readOptions(
        { name: `npm run bench -- ${name}`, about, ...usage, options },
        args,
      );
      return renderReport(await measure(asked, createProgress()), { hasJson: asked.json === true });
    },
  };
}

const database = "a PostgreSQL server (TURNSEAL_TEST_POSTGRES_URL)";
const programs = "the programs of PostgreSQL (initdb, pg_ctl)";

export const BENCHMARKS: ReadonlyMap<string, NamedBenchmark> = new Map([
  [
    "append",
    describeBenchmark(benchAppend, {
      measures: "an append to PostgreSQL, beside one to SQLite",
      needs: database,
      lasts: "less than a minute",
      sizes: {},
    }),
  ],
  [
    "call",
    describeBenchmark(benchCall, {
      measures: "a call, as a ratio to a floor written by hand",
      lasts: "a minute or so",
      sizes: {},
    }),
  ],
  [
    "list",
    describeBenchmark(benchList, {
      measures: "the first page of runs among 50,000, against among 500, in both stores",
      needs: database,
      lasts: "a minute or so",
      sizes: {},
    }),
  ],
  [
    "graph",
    describeBenchmark(benchGraph, {
      measures:
        "a change and a question of a graph of 100,000 nodes, against one of 1,000, and a turn that keeps a graph",
      lasts: "a minute or so",
      sizes: {},
    }),
  ],
  [
    "scan",
    describeBenchmark(benchScan, {
      measures: "finding out that none of 50,000 files changed, against `git status`",
      lasts: "a minute or so",
      sizes: {},
    }),
  ],
  [
    "files",
    describeBenchmark(benchFiles, {
      measures:
        "a turn of a run that manages files, against one that manages none, and 10,000 against 100",
      lasts: "a few minutes",
      sizes: {},
    }),
  ],
  [
    "tools",
    describeBenchmark(benchTools, {
      measures:
        "searches of an agent over 10,000 files against `rg` and `git grep`, and the start of a sandbox against `bwrap`",
      needs: "ripgrep, git and bubblewrap",
      lasts: "a minute or so",
      sizes: {},
    }),
  ],
  [
    "tenants",
    describeBenchmark(benchTenants, {
      measures: "a thousand tenants in three workers with a hundred connections",
      needs: programs,
      lasts: "a few minutes",
      sizes: tenantsSizes,
    }),
  ],
  [
    "items",
    describeBenchmark(benchItems, {
      measures: "an item of a fan-out of 256 inside one turn, against one of 8",
      lasts: "half a minute",
      sizes: {},
    }),
  ],
  [
    "verify",
    describeBenchmark(benchVerify, {
      measures: "what verifying an event of a run of 10,000 turns costs, against one of 500",
      lasts: "a minute or two",
      sizes: {},
    }),
  ],
  [
    "turn",
    describeBenchmark(benchTurn, {
      measures: "a turn in memory, as a ratio to a floor written by hand",
      lasts: "a minute or two",
      sizes: {},
    }),
  ],
  [
    "context",
    describeBenchmark(benchContext, {
      measures: "what a round costs at 10,000 entries against 100, for each strategy",
      lasts: "a few minutes",
      sizes: {},
    }),
  ],
  [
    "admit",
    describeBenchmark(benchAdmit, {
      measures: "what a grant of many terms and a policy of many rules add to a turn",
      lasts: "a minute or so",
      sizes: {},
    }),
  ],
  [
    "history",
    describeBenchmark(benchHistory, {
      measures: "what a long history costs: its bytes, to resume it, and one more turn",
      lasts: "a minute or two",
      sizes: {},
    }),
  ],
  [
    "layout",
    describeBenchmark(benchLayout, {
      measures: "what a turn leaves in PostgreSQL: bytes, rows, updates in place, round trips",
      needs: programs,
      lasts: "a minute or so",
      sizes: layoutSizes,
    }),
  ],
  [
    "memory",
    describeBenchmark(benchMemory, {
      measures: "the memory that large blobs and a thousand calls and runs at once take",
      lasts: "less than a minute",
      sizes: {},
    }),
  ],
  [
    "engine",
    describeBenchmark(benchEngine, {
      measures: "turns a second on the durable host, against a handler written by hand",
      needs: programs,
      lasts: "some minutes",
      sizes: engineSizes,
    }),
  ],
  [
    "engine-turns",
    describeBenchmark(benchEngineTurns, {
      measures: "what the last turns of a long durable run cost against the first",
      needs: programs,
      lasts: "some minutes",
      sizes: engineTurnsSizes,
    }),
  ],
  [
    "parked",
    describeBenchmark(benchParked, {
      measures: "what runs cost that wait for an approval, and how fast decisions are carried out",
      needs: programs,
      lasts: "more than half an hour on two cores",
      sizes: parkedSizes,
    }),
  ],
  [
    "flood",
    describeBenchmark(benchFlood, {
      measures: "how long a tenant's runs take while another starts 500 at once, against alone",
      needs: programs,
      lasts: "a minute or two",
      sizes: floodSizes,
    }),
  ],
  [
    "burst",
    describeBenchmark(benchBurst, {
      measures: "how fast runs are done that are all started at once, against one after another",
      needs: programs,
      lasts: "some minutes",
      sizes: burstSizes,
    }),
  ],
  [
    "repair",
    describeBenchmark(benchRepair, {
      measures: "how fast parked runs get what lost messages owed them",
      needs: programs,
      lasts: "a few minutes",
      sizes: repairSizes,
    }),
  ],
  [
    "stream",
    describeBenchmark(benchStream, {
      measures: "how long a piece of an answer takes to whoever watches, against a bare relay",
      lasts: "a minute or so",
      sizes: {},
    }),
  ],
  [
    "subscribers",
    describeBenchmark(benchSubscribers, {
      measures: "the memory that a server holds for people who watch and to whom nothing happens",
      lasts: "a minute or so",
      sizes: subscribersSizes,
    }),
  ],
]);

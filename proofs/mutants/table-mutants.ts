import type { Mutant } from "./mutant.ts";

const table = "packages/protocol/src/authoring/table";
const profiles = "packages/views/src/mplp/tell-profiles.ts";

/** Faults in the set of tables, the order of slots, and reports of slots. */
export const tableMutants: readonly Mutant[] = [
  {
    name: "table-of-one",
    file: `${table}/define-table.ts`,
    find: "if (count < 2)",
    replace: "if (count < 1)",
    fails: [
      // A pair of one is refused as a pair.
      "tables/one-participant-in-broadcast",
      "tables/one-participant-in-orchestrated",
      "tables/one-participant-in-round-robin",
      "tables/one-participant-in-swarm",
    ],
  },
  {
    name: "table-of-any-size",
    file: `${table}/define-table.ts`,
    find: "if (count > PARTICIPANTS_MAX)",
    replace: "if (count > 2 * PARTICIPANTS_MAX)",
    fails: ["tables/too-many-participants"],
  },
  {
    name: "pair-of-many",
    file: `${table}/define-table.ts`,
    find: 'mode === "pair" && count !== 2',
    replace: 'mode === "pair" && count < 2',
    fails: ["tables/pair-of-three"],
  },
  {
    name: "mode-of-any-word",
    file: `${table}/define-table.ts`,
    find: "if (!TABLE_MODES.includes(mode))",
    replace: 'if (mode === ("" as TableMode))',
    fails: ["tables/mode-unknown"],
  },
  {
    name: "rounds-unlimited",
    file: `${table}/define-table.ts`,
    find: "rounds > TABLE_ROUNDS_MAX)",
    replace: "rounds > 2 * TABLE_ROUNDS_MAX)",
    fails: ["tables/too-many-rounds"],
  },
  {
    name: "told-what-the-round-before-said",
    file: `${table}/table-flows.ts`,
    find: "index === 0 ? LAST",
    replace: "index < 100 ? LAST",
    fails: ["tables/map-flow-01"],
  },
  {
    name: "broadcast-in-turn",
    file: `${table}/table-flows.ts`,
    find: '{ kind: "parallel", branches }',
    replace: '{ kind: "sequence", nodes: branches }',
    fails: ["tables/map-flow-02"],
  },
  {
    name: "slot-never-completed",
    file: profiles,
    find: 'tellOf("MAPTurnCompleted", { ...dispatched, status });',
    replace: "",
    fails: ["tables/map-flow-01", "tables/map-flow-02", "tables/tool-of-another"],
  },
  {
    name: "slots-not-numbered",
    file: profiles,
    find: "turns += 1;",
    replace: "turns = 1;",
    fails: ["tables/map-flow-01", "tables/map-flow-02"],
  },
];

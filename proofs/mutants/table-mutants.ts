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
  },
  {
    name: "table-of-any-size",
    file: `${table}/define-table.ts`,
    find: "if (count > PARTICIPANTS_MAX)",
    replace: "if (count > 2 * PARTICIPANTS_MAX)",
  },
  {
    name: "pair-of-many",
    file: `${table}/define-table.ts`,
    find: 'mode === "pair" && count !== 2',
    replace: 'mode === "pair" && count < 2',
  },
  {
    name: "mode-of-any-word",
    file: `${table}/define-table.ts`,
    find: "if (!TABLE_MODES.includes(mode))",
    replace: 'if (mode === ("" as TableMode))',
  },
  {
    name: "rounds-unlimited",
    file: `${table}/define-table.ts`,
    find: "rounds > TABLE_ROUNDS_MAX)",
    replace: "rounds > 2 * TABLE_ROUNDS_MAX)",
  },
  {
    name: "told-what-the-round-before-said",
    file: `${table}/table-flows.ts`,
    find: "index === 0 ? LAST",
    replace: "index < 100 ? LAST",
  },
  {
    name: "broadcast-in-turn",
    file: `${table}/table-flows.ts`,
    find: '{ kind: "parallel", branches }',
    replace: '{ kind: "sequence", nodes: branches }',
  },
  {
    name: "slot-never-completed",
    file: profiles,
    find: 'tellOf("MAPTurnCompleted", { ...dispatched, status });',
    replace: "",
  },
  {
    name: "slots-not-numbered",
    file: profiles,
    find: "turns += 1;",
    replace: "turns = 1;",
  },
];

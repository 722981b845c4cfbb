/** Requests for plans, tables and flows of one agent. */
import {
  parseCount,
  parseExactFields,
  parseJson,
  parseList,
  parseTable,
  parseText,
  parseTrue,
} from "../shape.ts";

/** A plan is taken as it comes: what is wrong with it is for the program to say. */
export const parsePropose = parseExactFields(
  { plan: parseJson, grant: parseJson },
  { policy: parseJson, key: parseText, by: parseText },
);

const parseParticipant = parseExactFields(
  { loop: parseText, grant: parseJson },
  { version: parseText },
);
/** The same holds of a table. */
export const parseSeat = parseExactFields(
  {
    id: parseText,
    version: parseText,
    mode: parseText,
    participants: parseTable(parseParticipant),
  },
  { rounds: parseJson, until: parseText },
);

/** A rollback of a run, asked for by `by`; with `dry` it is only listed. */
export const parseRollback = parseExactFields(
  { run: parseText },
  { toTurn: parseCount, by: parseText, dry: parseTrue },
);

/** The run that a step of a flow is. */
const parseAction = parseExactFields({ loop: parseText, input: parseJson }, {});
const parseInvariant = parseExactFields(
  { id: parseText, scope: parseText, path: parseText, rule: parseText },
  { optional: parseTrue },
);
export const parseFlow = parseExactFields(
  { actions: parseTable(parseAction), grant: parseJson },
  {
    context: parseJson,
    plan: parseJson,
    confirm: parseJson,
    invariants: parseList(parseInvariant),
  },
);
export type FlowRequest = ReturnType<typeof parseFlow>;

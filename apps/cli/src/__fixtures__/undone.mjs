// Loops for the tests of rollbacks: what is put into a file and taken out again, and mail, which is
// final.
import { appendFileSync } from "node:fs";
import { defineTool, jsonSchema, notDone } from "@turnseal/protocol/authoring";

const open = { version: "1.0.0", effect: "idempotent", build: "test" };

export const put = defineTool({
  ...open,
  id: "put",
  input: jsonSchema({ type: "object" }),
  output: jsonSchema({ type: "object" }),
  run: ({ ledger, what }) => {
    appendFileSync(ledger, `put ${what}\n`);
    return { what };
  },
  compensate: {
    ...{ effect: "idempotent", build: "undo-1", withinMs: 86_400_000 },
    run: ({ what }, { input }) => {
      if (what === "stuck") throw notDone("it is stuck");
      appendFileSync(input.ledger, `took ${what}\n`);
    },
  },
});

export const mail = defineTool({
  ...open,
  id: "mail",
  input: jsonSchema({ type: "object" }),
  output: jsonSchema(true),
  run: ({ ledger, to }) => {
    appendFileSync(ledger, `mail ${to}\n`);
    return { to };
  },
  irreversible: "mail that was sent cannot be called back",
});

export const fail = defineTool({
  ...open,
  id: "fail",
  input: jsonSchema({ type: "object" }),
  output: jsonSchema(true),
  run: () => {
    throw notDone("no room");
  },
});

export const lose = defineTool({
  ...open,
  id: "lose",
  effect: "once",
  input: jsonSchema({ type: "object" }),
  output: jsonSchema(true),
  run: () => {
    throw new Error("the line is dead");
  },
});

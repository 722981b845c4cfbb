/** A payment that happens once, and a host that drives runs of it. */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalHost, type LocalHost, type RunOutcome } from "@turnseal/host";
import { createMemorySigner, type Stores } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";

export interface Payment {
  readonly order: string;
  readonly workMs: number;
}

export interface Desk {
  readonly host: LocalHost;
  readonly pay: Loop<Payment, { readonly paid: string }>;
}

/** The outcome of a caller, as text that can be compared. */
export type Got = { readonly outcome: string } | { readonly error: string };

/** Each payment that begins is one line of the book. */
export async function openDesk(stores: Stores, book: string): Promise<Desk> {
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "once" },
    input: jsonSchema<Payment>(true),
    output: jsonSchema<{ readonly paid: string }>(true),
    run: async ({ order, workMs }) => {
      appendFileSync(book, `${order}\n`);
      await sleep(workMs);
      return { paid: order };
    },
  });
  const signer = await createMemorySigner();
  return { host: createLocalHost({ loops: [pay], stores, signer }), pay };
}

/** Waits for what a caller is answered. */
export async function listen(answer: Promise<RunOutcome<unknown>>): Promise<Got> {
  try {
    const { status, run, output, requests } = await answer;
    const kinds = requests.map(({ kind }) => kind);
    return { outcome: JSON.stringify({ run, status, output: output ?? null, kinds }) };
  } catch (error) {
    return { error: isLoopError(error) ? error.code : String(error) };
  }
}

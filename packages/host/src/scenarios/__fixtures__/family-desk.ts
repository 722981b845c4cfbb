/** A prompt that pays, and hands to runs that pay: what all of them spend is one sum. */
import {
  type ManualClock,
  manualClock,
  memoryStores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import {
  type Amounts,
  canonicalize,
  type Grant,
  isClaimOf,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  type Policy,
  type PriceTable,
} from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { verifyTree } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { signer, signingKey } from "./refund-desk.ts";

const anything = jsonSchema<JsonValue>(true);

export interface FamilySetting {
  /** The one answer of the model: payments, and handoffs of payments, in cents. */
  readonly asks: readonly (readonly ["pay" | "hand", number])[];
  /** The grant in a handoff. */
  readonly slice?: JsonObject;
  /** Levels of handoffs above the payment. */
  readonly levels?: number;
  readonly isParallel?: boolean;
  readonly grant?: Partial<Grant>;
  readonly policy?: Policy;
  readonly prices?: PriceTable;
  /** Needs beside the amount. */
  readonly needs?: JsonObject;
}

export interface FamilyDesk {
  readonly host: LocalHost;
  readonly clock: ManualClock;
  readonly run: string;
  /** The most payments that acted at the same time. */
  mostAtOnce(): number;
  paid(): number;
  eventsOf(run: string): Promise<readonly LoopEvent[]>;
  /** The run, and all that were handed to below it. */
  family(): Promise<readonly string[]>;
  /** The grants that were handed to, in the order of the log. */
  slices(): Promise<readonly Grant[]>;
  findings(): Promise<readonly string[]>;
}

/** One run after another, until nothing moves any more. */
export async function driveFamily({ host, run, family }: FamilyDesk): Promise<void> {
  for (let looks = 0; looks < 20; looks++) {
    const { dues } = await host.advance(run);
    if (dues.kind === "done") return;
    const [, ...below] = await family();
    await Promise.all(below.map((child) => host.drive(child)));
  }
}

export async function openFamilyDesk(setting: FamilySetting): Promise<FamilyDesk> {
  const { asks, levels = 1, isParallel = true, needs = {} } = setting;
  let [paid, acting, most] = [0, 0, 0];
  const clock = manualClock();
  const stores = memoryStores(clock);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", implementation: "local.pay", effect: "once", build: "t" },
    ...{ input: anything, output: anything },
    needs: (input) => ({ amounts: { "payments.cents": centsOf(input) }, ...needs }),
    run: async (input) => {
      acting += 1;
      most = Math.max(most, acting);
      paid += centsOf(input);
      for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve();
      acting -= 1;
      return "ok";
    },
  });
  const slice = { tools: ["local.pay"], ...setting.slice };
  const hands = Array.from({ length: levels }, (_, level) => {
    const [loop = "pay", ...below] = handed.slice(level, levels - 1);
    const handoffs = loop === "pay" ? [] : ["pay", ...below];
    return handTo(loop, { grant: { ...slice, handoffs } }, level);
  });
  const [hand = handTo("pay", {}, 0), ...below] = hands;
  const tools = [pay, hand].map((loop) => ({ loop, independent: isParallel }));
  const prompt = definePrompt({
    ...{ id: "p", version: "1.0.0", input: anything, output: anything, template: "go", tools },
  });
  const toolCalls = asks.map(([what, cents]) => ({
    tool: what === "pay" ? "local__pay" : "turnseal__handoff",
    input: { cents },
  }));
  const host = createLocalHost({
    ...{ loops: [pay, hand, ...below, prompt], stores, signer, clock, ids: seededIds("family") },
    models: { scripted: scriptedModel([{ toolCalls }, "done"]) },
    ...(setting.prices === undefined ? {} : { prices: setting.prices }),
  });
  const grant: Grant = {
    ...{ grantor: "ada", tools: ["local.pay"], handoffs: ["pay", ...handed], budget: {} },
    ...setting.grant,
  };
  const run = await host.start(prompt, {}, { key: "run", grant, ...pickPolicy(setting) });
  const eventsOf = (of: string) => stores.log.read(of, 1, 1_000);
  const family = async (): Promise<string[]> => {
    const all = [run];
    for (const each of all)
      for (const event of await eventsOf(each))
        if (isClaimOf("handoff", event)) all.push(event.content.child);
    return all;
  };
  return {
    ...{ host, clock, run, eventsOf, family, paid: () => paid, mostAtOnce: () => most },
    slices: async () => {
      const events = (await Promise.all((await family()).map(eventsOf))).flat();
      return events.flatMap((event) => (isClaimOf("handoff", event) ? [event.content.grant] : []));
    },
    findings: async () => {
      const bundles = (await family()).map(async (each) => ({
        ...{ run: each, events: await eventsOf(each) },
        receipts: (await stores.receipts.list(each, 1, 10)).map(({ envelope }) =>
          canonicalize(envelope),
        ),
      }));
      const { runs, set } = await verifyTree(await Promise.all(bundles), { keys: [signingKey] });
      return [...runs.flatMap(({ findings }) => findings), ...set.findings].map(({ code }) => code);
    },
  };
}

const handed = ["hand-1", "hand-2"];

/** A handoff as a document: several have the same implementation. */
function handTo(loop: string, config: JsonObject, level: number) {
  const id = level === 0 ? "hand" : `hand-${level}`;
  const tool = { implementation: "turnseal.handoff", config: { loop, ...config } };
  const head = { id, name: id, version: "1.0.0", kind: "tool" } as const;
  return { definition: { ...head, inputSchema: true, outputSchema: true, tool } };
}

function pickPolicy({ policy }: FamilySetting): { policy?: Policy } {
  return policy === undefined ? {} : { policy };
}

function centsOf(input: JsonValue): number {
  return Number((input as JsonObject)["cents"]);
}

/** The largest amount of a unit that was committed at any moment of the log. */
export function mostCommitted(events: readonly LoopEvent[], unit: keyof Amounts): number {
  let [now, most] = [0, 0];
  for (const event of events) {
    if (event.type === "action.claimed") now += event.content.reserve[unit] ?? 0;
    if (event.type === "action.settled")
      now += (event.content.spent[unit] ?? 0) - (event.content.reserve[unit] ?? 0);
    most = Math.max(most, now);
  }
  return most;
}

/** Runs of several kinds, as real hosts carried them: what views are held against. */
import {
  createMemorySigner,
  manualClock,
  memoryStores,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type {
  FlowNode,
  JsonObject,
  JsonValue,
  LoopDef,
  LoopEvent,
  PlanDocument,
} from "@turnseal/protocol";
import { defineTool, jsonSchema, notDone, noteTaker } from "@turnseal/protocol/authoring";
import { planAdoption } from "../drift/adopt-files.ts";
import { planReconciliation } from "../drift/plan-reconciliation.ts";
import { createLocalHost } from "../local/local-host.ts";
import { tellAdoption, tellReconciliation } from "../messages/tell-files.ts";
import { openFanOutDesk, payAt } from "../scenarios/__fixtures__/fan-out-desk.ts";
import { openGroupDesk } from "../scenarios/__fixtures__/group-desk.ts";
import { interruptPayment } from "../scenarios/__fixtures__/interrupt-payment.ts";
import { openKeyedRoot } from "../scenarios/__fixtures__/keyed-root.ts";
import { openPlanDesk } from "../scenarios/__fixtures__/plan-desk.ts";
import { openRollbackDesk } from "../scenarios/__fixtures__/rollback-desk.ts";
import { openSpreadDesk, spread } from "../scenarios/__fixtures__/spread-desk.ts";
import { openToolDesk } from "../scenarios/__fixtures__/tool-desk.ts";
import { ask, openWorld, pay, RUN, type SampleWorld } from "../scenarios/sample-world.test.data.ts";
import { readRun } from "../state/read-run.ts";
import { carryTalks, endAtClaim } from "./sample-talks.test.data.ts";
import { askFor, askToSave, openChat } from "./session/chat.test.data.ts";

export interface SampleRun {
  readonly name: string;
  readonly run: string;
  readonly stores: Stores;
  readonly events: readonly LoopEvent[];
}

const plan: PlanDocument = {
  title: "words",
  steps: [
    { id: "find", loop: "work", input: { at: "a" } },
    { id: "left", loop: "work", input: { at: { from: "$.find.output" } } },
    { id: "right", loop: "work", input: { at: "b" }, after: ["find"] },
  ],
};

async function take(
  name: string,
  { run, stores }: { readonly run: string; readonly stores: Stores },
): Promise<SampleRun> {
  return { name, run, stores, events: await stores.log.read(run, 1) };
}

async function samplePlan(
  name: string,
  choice?: "approve" | "reject",
  act?: () => never,
): Promise<SampleRun> {
  const desk = await openPlanDesk(plan, act === undefined ? {} : { act });
  await desk.drive();
  if (choice === undefined) desk.clock.advance(25 * 3_600_000);
  else await desk.decide(choice);
  await desk.drive();
  return take(name, desk);
}

/** One whose first step may fail, and does: what depends on it is not done. */
async function sampleBlocked(): Promise<SampleRun> {
  const [find, ...rest] = plan.steps;
  if (find === undefined) throw new Error("the plan has steps");
  const borne: PlanDocument = { ...plan, steps: [{ ...find, critical: false }, ...rest] };
  const act = (): never => {
    throw notDone("no");
  };
  const desk = await openPlanDesk(borne, { act });
  await desk.drive();
  await desk.decide("approve");
  await desk.drive();
  return take("a plan that goes on without a step", desk);
}

/** One whose processes all end at what it does, until nobody tries any more. */
async function sampleStalled(): Promise<SampleRun> {
  const desk = await openPlanDesk(plan, { see: (stores) => endAtClaim(stores, "local.work") });
  await desk.drive();
  await desk.decide("approve");
  const go = () => desk.drive().catch(() => "gone");
  for (let process = 0; process < 50 && (await go()) === "gone"; process++)
    desk.clock.advance(3_600_000);
  return take("a plan that stalls", desk);
}

/** A run that is stopped while a person is asked about it. */
async function sampleStopped(): Promise<SampleRun> {
  const desk = await openPlanDesk(plan);
  await desk.drive();
  await desk.open().cancel(desk.run, { key: "stop", by: "ada" });
  await desk.drive();
  return take("a plan that was stopped", desk);
}

async function sampleFlows(): Promise<SampleRun[]> {
  const rounds = await openFanOutDesk(
    {
      kind: "sequence",
      nodes: [
        { kind: "repeat", max: 2, until: "round == 1", body: payAt("literal:a") },
        { kind: "parallel", branches: [payAt("literal:b"), payAt("literal:c")] },
      ],
    },
    { isAsked: false },
  );
  await rounds.drive();
  let tries = 0;
  const act = (at: JsonValue): JsonValue => {
    tries += 1;
    if (at === "a" && tries < 2) throw notDone("later");
    if (at === "b") throw notDone("never");
    return 1;
  };
  const retried: FlowNode = {
    ...payAt("literal:a"),
    retry: { strategy: "fixed", max: 2, delayMs: 3_600_000 },
  };
  const borne: FlowNode = { ...payAt("literal:b"), critical: false };
  const left: FlowNode = { ...payAt("literal:c"), when: "false" };
  const failing = await openFanOutDesk(
    { kind: "sequence", nodes: [retried, borne, left] },
    { isAsked: false, act },
  );
  await failing.drive();
  failing.clock.advance(3_600_001);
  await failing.drive();
  const asked = await openFanOutDesk(payAt("literal:a"));
  await asked.drive();
  await asked.approve("a");
  await asked.drive();
  const undecided = await openFanOutDesk(payAt("literal:a"));
  await undecided.drive();
  undecided.clock.advance(40 * 24 * 3_600_000);
  await undecided.drive();
  return [
    await take("a flow with rounds and branches", rounds),
    await take("a flow whose step is tried again", failing),
    await take("an action that was approved", asked),
    await take("an action that nobody approved", undecided),
  ];
}

async function sampleChats(): Promise<SampleRun[]> {
  const look = ["local__look", { at: 1 }] as const;
  const save = ["local__save", { it: 1 }] as const;
  const chat = openChat({
    ...{ replies: [askFor(look), askFor(save), "done", "again"], policy: askToSave },
    bounds: { awaits: ["message"], nextInput: { text: "$.signals.message.text" }, turnsMax: 4 },
  });
  const run = await chat.start();
  await chat.host.advance(run);
  const [request] = await chat.host.requests(run);
  const no = { choice: "reject", by: { id: "bea", roles: [] } } as const;
  await chat.host.decide(run, request?.id ?? "", no);
  await chat.host.advance(run);
  await chat.host.signal(run, {
    name: "message",
    payload: { text: "more" },
    by: "ada",
    key: "more",
  });
  await chat.host.advance(run);
  await chat.host.cancel(run, { by: "ada", key: "stop" });
  await chat.host.advance(run);

  const agents = openChat({ replies: [askFor(["turnseal__question", { who: 1 }]), "told"] });
  const other = await agents.start();
  await agents.host.advance(other);
  const [question] = await agents.host.requests(other);
  const by = { id: "scout", roles: [], kind: "agent" } as never;
  await agents.host.answer(other, question?.id ?? "", { answer: { it: 1 }, by });
  await agents.host.advance(other);
  return [
    await take("a conversation", { run, stores: chat.stores }),
    await take("a question", { run: other, stores: agents.stores }),
  ];
}

async function sampleWorlds(): Promise<SampleRun[]> {
  const drive = async (world: SampleWorld, name: string): Promise<SampleRun> => {
    await world.start();
    for (let step = 0; step < 20 && (await world.end()) === "continue"; step++);
    return take(name, { run: RUN, stores: world.stores });
  };
  const writing = openWorld({
    ...{ loop: pay, input: {} },
    tools: {
      "local.pay": {
        effect: "idempotent",
        run: (_, context) => {
          context.log("info", "a line");
          context.emit("acme.paid", { cents: 5 });
          return {};
        },
      },
    },
  });
  const noting: LoopDef = {
    ...{ ...ask, id: "noting", name: "noting" },
    prompt: {
      ...{ template: "{{word}}", variables: ["word"], maxRounds: 4 },
      tools: [{ loopId: "turnseal.note" }],
    },
  };
  const note = { key: "note", text: "x", rounds: 1 };
  const write = (input: JsonObject) => ({ toolCalls: [{ tool: "turnseal__note", input }] });
  const replies = [write(note), write({ key: "note", text: "y" }), "a"];
  const notes = openWorld({
    ...{ loop: noting, loops: [noteTaker.definition], model: scriptedModel(replies) },
    grant: { tools: ["turnseal.note"] },
  });
  const waiting = openWorld({
    loop: {
      ...{ id: "desk", name: "desk", version: "1.0.0", inputSchema: true, outputSchema: true },
      ...{ kind: "composite", composite: { flow: { kind: "wait", for: { signal: "go" } } } },
    },
    ...{ input: {}, grant: { tools: [] } },
  });
  const costs = openWorld({
    ...{ loop: noting, loops: [noteTaker.definition], model: scriptedModel(replies) },
    grant: { tools: ["turnseal.note"], budget: { modelCalls: 1 } },
  });
  const late = openWorld({ grant: { expiresAt: "2020-01-01T00:00:00.000Z" } });
  const unbound = openWorld({ loop: pay });
  const driven = [
    await drive(writing, "a tool that writes"),
    await drive(notes, "notes"),
    await drive(costs, "a budget that is used up"),
    await drive(late, "a grant that has ended"),
    await drive(unbound, "a tool that is missing"),
  ];
  await drive(waiting, "");
  const body: JsonObject = { name: "go", payload: {}, by: "ada" };
  await waiting.put({ key: "s", kind: "signal", body });
  await waiting.end();
  return [...driven, await take("a wait for a signal", { run: RUN, stores: waiting.stores })];
}

async function sampleInterrupted(): Promise<SampleRun[]> {
  const left = await interruptPayment();
  await left.next().host.advance(left.run);
  left.clock.advance(60_000);
  const { host } = left.next();
  await host.advance(left.run);
  await host.cancel(left.run, { key: "stop", by: "ada" });
  await host.advance(left.run);
  const [end] = (await host.show(left.run))?.unknownEnds ?? [];
  const by = { id: "fin", roles: [] };
  await host.resolve(left.run, { key: end?.key ?? "", resolution: "happened", result: {}, by });
  const done = await interruptPayment({ effect: "idempotent" });
  await done.next().host.advance(done.run);
  return [
    await take("a payment of which nobody knows", left),
    await take("a payment that is made again", done),
  ];
}

/** Two runs of one call: the second is answered with what the first gave. */
async function sampleCached(): Promise<SampleRun> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const definition: LoopDef = {
    ...{ ...ask, policy: { cache: { strategy: "ephemeral" } } },
    prompt: { template: "{{word}}", variables: ["word"] },
  };
  const host = createLocalHost({
    ...{ stores, clock, signer: await createMemorySigner(), ids: seededIds("cached") },
    ...{ loops: [{ definition }], models: { scripted: scriptedModel(["told"]) } },
  });
  const carry = async (key: string): Promise<string> => {
    const grant = { grantor: "ada", tools: [], budget: {} };
    const run = await host.start({ definition }, { word: "hello" } as never, { key, grant });
    await host.advance(run);
    return run;
  };
  await carry("a");
  return take("a call that was answered before", { run: await carry("b"), stores });
}

/** A run that adopted a file of another author, and whose files win over the record. */
async function sampleFiles(): Promise<SampleRun> {
  const site = openKeyedRoot("site");
  const write = defineTool({
    ...{ id: "write", version: "1.0.0", effect: "idempotent", artifacts: { root: "site" } },
    input: jsonSchema<JsonValue>(true),
    output: jsonSchema<JsonValue>(true),
    run: async (_, { artifacts }) => {
      await artifacts.write("page", new TextEncoder().encode("written"));
      return null;
    },
  });
  const { roots } = site;
  const bounds = { awaits: ["go"] };
  const rounds = [[["local.write", {}]]] as const;
  const desk = await openToolDesk({ tools: [write], rounds, roots, bounds });
  await desk.drive();
  const { run, stores } = desk;
  const ports = { stores, roots, put: stores.inbox.put };
  const by = { id: "ada", roles: [] };
  site.put("theirs", "theirs");
  const adoption = await planAdoption(
    { ...(await readRun(stores, run)), run, sequence: 0 },
    { root: "site", paths: ["theirs"] },
    ports,
  );
  if (adoption.kind !== "planned") throw new Error("the file can be managed");
  await tellAdoption(run, { ...adoption, by }, ports);
  await desk.drive();
  site.put("page", "by hand");
  const state = await readRun(stores, run);
  const request = { root: "site", way: "files-win" } as const;
  const reconciliation = await planReconciliation(
    { ...state, run, sequence: state?.sequence ?? 0 },
    request,
    ports,
  );
  if (reconciliation.kind !== "planned") throw new Error("the file differs");
  await tellReconciliation(run, { ...reconciliation, by }, ports);
  await desk.drive();
  return take("a run whose files count as they are", desk);
}

/** A run that undoes what another did. */
async function sampleRollback(): Promise<SampleRun> {
  const desk = await openRollbackDesk({ steps: ["one", "two"] });
  await desk.work();
  const asked = await desk.open().rollback(desk.run, { by: "ada" });
  if (asked.kind !== "proposed") throw new Error(`the rollback is ${asked.kind}`);
  await desk.drive(asked.run);
  await desk.approve(asked.run);
  await desk.drive(asked.run);
  return take("a rollback", { run: asked.run, stores: desk.stores });
}

async function sampleGroup(): Promise<SampleRun> {
  const desk = await openGroupDesk();
  await desk.drive();
  return take("a group that was done whole", desk);
}

/** Every sample, in an order. */
export async function listSampleRuns(): Promise<readonly SampleRun[]> {
  const several = await openSpreadDesk(spread({ const: ["a", "b", "c"] }));
  await several.drive();
  const [child = ""] = await several.children();
  return [
    await samplePlan("a plan that was approved", "approve"),
    await samplePlan("a plan that was rejected", "reject"),
    await samplePlan("a plan that nobody decided"),
    await samplePlan("a plan whose step fails", "approve", () => {
      throw notDone("no");
    }),
    await sampleBlocked(),
    await sampleStopped(),
    await sampleStalled(),
    ...(await sampleFlows()),
    await sampleGroup(),
    ...(await sampleChats()),
    ...(await sampleWorlds()),
    ...(await sampleInterrupted()),
    await sampleCached(),
    await sampleFiles(),
    await sampleRollback(),
    await take("a run that hands to others", several),
    ...(await Promise.all((await carryTalks()).map((talk) => take(talk.name, talk)))),
    await take("a run that was handed to", { run: child, stores: several.stores }),
  ];
}

/**
 * A run of an agent with these tools, for tests: its model follows a script, and the rest is real.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import { createLocalHost } from "@turnseal/host";
import {
  createMemorySigner,
  type Model,
  memoryStores,
  type ScriptedReply,
  type Stores,
  scriptedModel,
  seededIds,
  systemClock,
} from "@turnseal/ports";
import {
  canonicalize,
  type JsonValue,
  type LoopEvent,
  type ModelMessage,
  type Term,
} from "@turnseal/protocol";
import { definePrompt, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { type PublicKey, verifyRun } from "@turnseal/protocol/receipts";

const signer = await createMemorySigner();
const key: PublicKey = {
  ...{ keyId: signer.keyId, x: signer.x },
  ...{ issuer: "development", validFrom: "2020-01-01T00:00:00.000Z" },
};

/** The tool that the model calls next, after these results. */
export type Step = (told: readonly JsonValue[]) => {
  readonly tool: string;
  readonly input: object;
};

export interface DeskOptions {
  readonly tools: readonly Loop<never, unknown>[];
  readonly terms: readonly Term[];
  readonly folder: string;
}

export function openDesk({ tools, terms, folder }: DeskOptions) {
  const stores = memoryStores(systemClock);
  const told: JsonValue[] = [];
  let steps: Step[] = [];
  const model: Model = {
    defaultModel: "scripted",
    generate: (request) => {
      told.splice(0, told.length, ...request.messages.flatMap(toResult));
      const step = steps.shift()?.(told);
      const reply: ScriptedReply =
        step === undefined
          ? "done"
          : { toolCalls: [{ tool: step.tool.replaceAll(".", "__"), input: step.input }] };
      return scriptedModel([reply]).generate(request);
    },
  };
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", template: "work", tools },
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<{ text: string }>({ type: "object", required: ["text"] }),
    maxRounds: 30,
  });
  const open = (see: (stores: Stores) => Stores = (same) => same) =>
    createLocalHost({
      ...{ loops: [agent], models: { scripted: model }, signer, clock: systemClock },
      stores: see(stores),
      ...{ ids: seededIds("desk"), roots: folderRoots({ site: folder }) },
    });
  const names = tools.map(({ definition }) => definition.tool?.implementation ?? definition.id);
  const grant = { grantor: "ada", tools: names, terms, budget: { toolCalls: 99, modelCalls: 99 } };
  return {
    ...{ stores, told, open },
    /** Runs an agent that makes these calls, and returns the results that it was told. */
    work: async (...asked: readonly Step[]) => {
      steps = [...asked];
      const host = open();
      const run = await host.start(agent, {}, { grant, by: "ada", key: "run" });
      await host.drive(run);
      return { run, told: [...told] };
    },
    /** The same, by a process that dies before or after an append, and by its successor. */
    workThroughDeath: async (see: (stores: Stores) => Stores, ...asked: readonly Step[]) => {
      steps = [...asked];
      const run = await open().start(agent, {}, { grant, by: "ada", key: "run" });
      await open(see)
        .drive(run)
        .catch(() => {});
      // The next process gets the answers that the log does not have yet.
      steps = asked.slice(countAnswers(await stores.log.read(run, 1)));
      await open().drive(run);
      return { run, told: [...told] };
    },
    /** Runs one tool by itself: its output, or the code of its error. */
    call: async (tool: string, input: object) => {
      const loop = tools.find(({ definition }) => definition.id === tool);
      if (loop === undefined) throw new Error(`there is no tool ${tool}`);
      const host = createLocalHost({
        ...{
          loops: tools,
          stores,
          signer,
          clock: systemClock,
          roots: folderRoots({ site: folder }),
        },
      });
      const { run, ...outcome } = await host.run(loop, input as never, { grant, by: "ada" });
      const output = "output" in outcome ? (outcome.output as object) : {};
      const events = await stores.log.read(run, 1);
      const [code] = events.flatMap((event) =>
        event.type === "call.errored" ? [event.content.code] : [],
      );
      return { ...output, code };
    },
    findings: async (run: string) => {
      const events = await stores.log.read(run, 1);
      const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
        canonicalize(envelope as never),
      );
      return (await verifyRun({ run, events, receipts }, { keys: [key] })).findings;
    },
    /** How many calls failed by the log, and whether receipts seal all of it. */
    readSeal: async (run: string) => {
      const events = await stores.log.read(run, 1);
      const receipts = (await stores.receipts.list(run, 1)).map(({ envelope }) =>
        canonicalize(envelope as never),
      );
      const { findings } = await verifyRun({ run, events, receipts }, { keys: [key] });
      const failed = events.filter(({ type }) => type === "call.errored").length;
      return { failed, isSealed: receipts.length > 0 && findings.length === 0 };
    },
  };
}

/** The answers of models that a log has. */
function countAnswers(events: readonly LoopEvent[]): number {
  const isModel = ({ type, content }: LoopEvent) =>
    type === "action.settled" && (content as { action?: string }).action === "model";
  return events.filter(isModel).length;
}

/** Stores of a process that is dead from an append on, counted from one. */
export function dieAt(place: number, when: "before" | "after") {
  let count = 0;
  const see = (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      append: async (append) => {
        count += 1;
        if (count > place || (count === place && when === "before")) throw new Error("dead");
        const answer = await stores.log.append(append);
        if (count === place) throw new Error("dead");
        return answer;
      },
    },
  });
  return { see, hasDied: () => count >= place };
}

function toResult(message: ModelMessage): JsonValue[] {
  return message.role === "tool" ? [message.result] : [];
}

/** A folder for a root, and one beside it that nothing may reach. */
export function createPlace() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "turnseal-tools-")));
  const [folder, outside] = [join(place, "root"), join(place, "outside")];
  for (const path of [folder, outside]) mkdirSync(path);
  return { folder, outside, remove: () => rmSync(place, { recursive: true, force: true }) };
}

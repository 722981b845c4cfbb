/**
 * A host on memory stores with one paying agent, for tests: the clock stands still, and nothing is
 * left outside.
 */
import {
  type ManualClock,
  type Model,
  manualClock,
  memoryStores,
  type Signer,
  type Stores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { Effect } from "@turnseal/protocol";
import {
  definePrompt,
  defineTool,
  jsonSchema,
  type Loop,
  type ToolContext,
} from "@turnseal/protocol/authoring";
import { keyIdOf } from "@turnseal/protocol/receipts";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";

export interface PaymentInput {
  readonly order: string;
}

export interface PaymentsOptions {
  readonly stores?: Stores;
  readonly clock?: ManualClock;
  readonly effect?: Effect;
  readonly template?: string;
  readonly model?: string;
  /** Names the backend in a route. */
  readonly isRouted?: boolean;
  readonly build?: string;
  readonly act?: (context: ToolContext) => unknown;
}

export interface Payments {
  readonly host: LocalHost;
  readonly stores: Stores;
  readonly clock: ManualClock;
  readonly agent: Loop<PaymentInput, { readonly text: string }>;
  /** Starts a run that may pay. */
  start(): Promise<string>;
}

const { subtle } = globalThis.crypto;
const pair = await subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
const { publicKey, privateKey } = pair as Extract<typeof pair, { publicKey: unknown }>;
const { x: keyText = "" } = await subtle.exportKey("jwk", publicKey);
const signer: Signer = {
  keyId: keyIdOf(keyText),
  issuer: "development",
  sign: async (data) =>
    new Uint8Array(await subtle.sign("Ed25519", privateKey, Uint8Array.from(data))),
};

/** Makes the host; with the stores of another one it is the next process. */
export function createPayments(options: PaymentsOptions = {}): Payments {
  const { clock = manualClock(), effect = "once", act = () => ({ paid: true }) } = options;
  const { stores = memoryStores(clock), build = "1", model = "clerk-1" } = options;
  const { isRouted = false } = options;
  const backend = { id: "clerk" };
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect, build, policy: { timeoutMs: 1_000 } },
    input: jsonSchema<PaymentInput>({ type: "object" }),
    output: jsonSchema<unknown>({ type: "object" }),
    run: (_, context) => act(context),
  });
  const template: string = options.template ?? "Pay {{order}}";
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", tools: [pay] },
    ...(isRouted ? { policy: { routes: [backend] } } : { backend }),
    input: jsonSchema<PaymentInput>({ type: "object" }),
    output: jsonSchema<{ readonly text: string }>({ type: "object" }),
    template: template as "Pay {{order}}",
  });
  const models = { clerk: createClerk(model) };
  const ids = seededIds("payments");
  const host = createLocalHost({ loops: [pay, agent], stores, signer, clock, ids, models });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: { modelCalls: 9 } };
  const start = (): Promise<string> => host.start(agent, { order: "A" }, { grant, key: "one" });
  return { host, stores, clock, agent, start };
}

/** It decides by the conversation alone, so it says the same after a crash. */
function createClerk(defaultModel: string): Model {
  return {
    defaultModel,
    generate: (request) => {
      const isPaid = request.messages.some(({ role }) => role === "tool");
      const call = { toolCalls: [{ tool: "local__pay", input: { order: "A" } }] };
      return scriptedModel([isPaid ? "done" : call]).generate(request);
    },
  };
}

/** Who talks: the agent, its tools and its provider; and the host of one process that has them. */

import { createHash } from "node:crypto";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import {
  createLocalHost,
  type HostOptions,
  type LocalHost,
  type StartOptions,
} from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { crashSigner } from "../kit/crash-key.ts";
import { PRICE_TABLE } from "./prices.ts";
import { type Provider, WIRES } from "./wires.ts";

/** The answering provider, and the limits of its requests. */
export interface Talker {
  readonly url: string;
  readonly provider: Provider;
  /** The most tokens that a request of the agent may have. */
  readonly tokensMax: number;
  /** How the context is shortened. */
  readonly strategy?: "flat" | "summary";
  /** What a step gives to read. */
  readonly page?: PageKind;
}

/** Where a run is kept, too. */
export interface Place extends Talker {
  readonly file: string;
}

type Agent = Loop<{ readonly words: string }, { readonly text: string }>;

interface BoundTalk extends Pick<HostOptions, "loops" | "models" | "signer" | "prices"> {
  readonly agent: Agent;
}

export interface TalkingHost {
  readonly host: LocalHost;
  readonly stores: Stores;
  readonly agent: Agent;
  close(): void;
}

const ROUNDS = 32;

/** Words, or text with far more tokens than it looks like. */
export type PageKind = "plain" | "hex" | "thai" | "jump";

const PAGES: Readonly<Record<PageKind, (step: number) => string>> = {
  plain: (taken) => `${taken}: ${SENTENCE.repeat(6).trim()}`,
  hex: (taken) => createHash("sha512").update(String(taken)).digest("hex").repeat(2),
  // So much at once that the estimate of the next request says nothing of it.
  jump: (taken) => createHash("sha512").update(String(taken)).digest("hex").repeat(60),
  thai: (taken) => `${taken}: ${"สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจ".repeat(6)}`,
};
const SENTENCE = "The quick brown fox jumps over the lazy dog, and is told so. ";

const anything = jsonSchema<JsonValue>(true);
const look = defineTool({
  ...{ id: "look", version: "1.0.0", description: "Looks at something", effect: "read" },
  ...{ build: "1", output: anything },
  input: jsonSchema<{ readonly at: string }>({ type: "object", required: ["at"] }),
  run: ({ at }) => ({ seen: at }),
});
function createStep(page: PageKind) {
  return defineTool({
    ...{ id: "step", version: "1.0.0", description: "Takes a step", effect: "read" },
    ...{ build: "1", output: anything },
    input: jsonSchema<{ readonly step: number }>({ type: "object", required: ["step"] }),
    run: ({ step: taken }) => ({ step: taken, page: PAGES[page](taken) }),
  });
}

/** Binds the loops and models that every host of a talk uses. */
export function bindTalk(talker: Talker): BoundTalk {
  const { url, provider, tokensMax, strategy = "flat", page = "plain" } = talker;
  const step = createStep(page);
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", backend: { id: provider }, system: "Be brief." },
    ...{ template: "{{words}}", tools: [look, step], maxRounds: ROUNDS },
    input: jsonSchema<{ readonly words: string }>({ type: "object", required: ["words"] }),
    // The words of an answer are its field `text` where the schema asks for nothing else.
    output: jsonSchema<{ readonly text: string }>(true),
    ...{ policy: { contextTokensMax: tokensMax }, context: { strategy } },
    // This provider caches only on request.
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  });
  return {
    ...{ agent, loops: [agent, look, step], signer: crashSigner },
    models: { [provider]: WIRES[provider].bind(url) },
    prices: PRICE_TABLE,
  };
}

export function openTalkingHost({ file, ...talker }: Place): TalkingHost {
  const stores = sqliteStores({ file });
  const { agent, ...bound } = bindTalk(talker);
  const host = createLocalHost({ ...bound, stores });
  return { host, stores, agent, close: () => stores.close() };
}

export const grant: StartOptions["grant"] = {
  grantor: "proof",
  tools: ["local.look", "local.step"],
  budget: {},
};

import type { PromptSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import {
  OPTION_PROVIDERS_MAX,
  PROVIDER_OPTIONS_BYTES_MAX,
  REASONING_TOKENS_MAX,
  SEED_MAX,
  STOP_LENGTH_MAX,
  STOPS_MAX,
} from "../limits.ts";
import { checkPromptSettings } from "./check-prompt-settings.ts";
import { createReport } from "./report.ts";

function listProblems(fields: Partial<PromptSpec>): string[] {
  const report = createReport();
  checkPromptSettings({ template: "Go", variables: [], ...fields }, report);
  return report.problems.map(({ rule, path }) => `${rule} ${path}`);
}

const stops = (count: number) => Array.from({ length: count }, (_, index) => `END${index}`);
const options = (count: number) =>
  Object.fromEntries(stops(count).map((provider) => [provider, {}]));
const sized = (bytes: number) => {
  const around = JSON.stringify({ openai: { user: "" } }).length;
  return { openai: { user: "x".repeat(bytes - around) } };
};

test.each<[string, (size: number) => Partial<PromptSpec>, number, string]>([
  ["STOPS_MAX", (size) => ({ stop: stops(size) }), STOPS_MAX, "stop"],
  ["STOP_LENGTH_MAX", (size) => ({ stop: ["x".repeat(size)] }), STOP_LENGTH_MAX, "stop/0"],
  ["SEED_MAX", (seed) => ({ seed }), SEED_MAX, "seed"],
  [
    "REASONING_TOKENS_MAX",
    (budgetTokens) => ({ reasoning: { budgetTokens } }),
    REASONING_TOKENS_MAX,
    "reasoning/budgetTokens",
  ],
  [
    "OPTION_PROVIDERS_MAX",
    (size) => ({ providerOptions: options(size) }),
    OPTION_PROVIDERS_MAX,
    "providerOptions",
  ],
  [
    "PROVIDER_OPTIONS_BYTES_MAX",
    (size) => ({ providerOptions: sized(size) }),
    PROVIDER_OPTIONS_BYTES_MAX,
    "providerOptions",
  ],
])("a prompt may have %s, and not one more", (_, make, most, path) => {
  expect(listProblems(make(most))).toEqual([]);
  expect(listProblems(make(most + 1))).toEqual([`field-type /prompt/${path}`]);
});

test.each([
  ["store", true],
  ["Store", null],
  ["previousResponseId", "resp_1"],
  ["previous-response-id", "resp_1"],
  ["conversation", "conv_1"],
  ["thread", { type: "continue" }],
  ["container", { id: "c" }],
  ["cachedContent", "cachedContents/1"],
  ["background", true],
  ["mcp_servers", []],
  ["fallbacks", "default"],
  ["max_completion_tokens", 9],
  ["model", "large"],
  ["messages", []],
  ["thinking", { type: "enabled" }],
])("no provider is given `%s` by a prompt", (name, value) => {
  const path = `setting-unfit /prompt/providerOptions/whoever/${name}`;
  expect(listProblems({ providerOptions: { whoever: { [name]: value } } })).toEqual([path]);
});

test("a provider may be told whatever is its own, and to keep nothing", () => {
  const openai = { store: false, textVerbosity: "low", promptCacheKey: "greet" };
  const anthropic = { cacheControl: { type: "ephemeral" }, thinking: { type: "adaptive" } };
  expect(listProblems({ providerOptions: { openai, anthropic } })).toEqual([]);
});

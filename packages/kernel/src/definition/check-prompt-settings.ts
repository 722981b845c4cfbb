/**
 * Checks the settings of a prompt's answer (spec/loop.md §2.11): their bounds, and that none
 * overrides the runtime.
 */
import {
  canonicalize,
  formatPointer,
  isPlainObject,
  type LoopReference,
  type PromptSpec,
} from "@turnseal/protocol";
import {
  OPTION_PROVIDERS_MAX,
  PROVIDER_OPTIONS_BYTES_MAX,
  REASONING_TOKENS_MAX,
  SEED_MAX,
  STOP_LENGTH_MAX,
  STOPS_MAX,
} from "../limits.ts";
import { checkPromptNotes } from "./check-prompt-notes.ts";
import { findOptionFault } from "./find-option-fault.ts";
import type { Report } from "./report.ts";
import { utf8Length } from "./utf8-length.ts";

export function checkPromptSettings(prompt: PromptSpec, report: Report): void {
  const refuse: Refuse = (path, message, mend) =>
    report.refuse({ rule: "field-type", path: `/prompt/${path}`, message, mend });
  checkSampling(prompt, refuse);
  checkToolChoice(prompt, report);
  checkProviderOptions(prompt, report, refuse);
  checkPromptNotes(prompt, report);
}

type Refuse = (path: string, message: string, mend: string) => void;

function checkSampling({ topP = 1, stop = [], seed = 0, reasoning }: PromptSpec, refuse: Refuse) {
  if (topP < 0 || topP > 1)
    refuse("topP", `${topP} is no share of the likeliest words`, "write a number from 0 to 1");
  if (stop.length > STOPS_MAX)
    refuse("stop", `a prompt has at most ${STOPS_MAX} texts to stop at`, "remove some of them");
  for (const [index, text] of stop.entries()) {
    if (text.length > STOP_LENGTH_MAX)
      refuse(`stop/${index}`, `it is longer than ${STOP_LENGTH_MAX}`, "write a shorter text");
  }
  if (seed > SEED_MAX) refuse("seed", `${seed} is more than ${SEED_MAX}`, "write a smaller number");
  if ((reasoning?.budgetTokens ?? 0) > REASONING_TOKENS_MAX) {
    const message = `a model thinks at most ${REASONING_TOKENS_MAX} tokens`;
    refuse("reasoning/budgetTokens", message, `write at most ${REASONING_TOKENS_MAX}`);
  }
}

/** A model can only be held to tools that it is offered. */
function checkToolChoice({ toolChoice, tools = [] }: PromptSpec, report: Report): void {
  if (toolChoice === undefined) return;
  const path = "/prompt/toolChoice";
  if (tools.length === 0) {
    const message = "the prompt offers no tool to choose";
    report.refuse({ rule: "setting-unfit", path, message, mend: "add `tools`, or remove it" });
    return;
  }
  if (typeof toolChoice === "string") return;
  if (tools.some((tool) => isChosen(tool, toolChoice))) return;
  const { loopId, loopVersion } = toolChoice;
  report.refuse({
    rule: "setting-unfit",
    path,
    message: `the prompt does not offer ${loopId}${loopVersion === undefined ? "" : `@${loopVersion}`}`,
    mend: "name one of its `tools` as it stands there",
  });
}

/** A reference without a version chooses the tool in any offered version. */
export function isChosen({ loopId, loopVersion }: LoopReference, choice: LoopReference): boolean {
  const isAnyVersion = choice.loopVersion === undefined;
  return loopId === choice.loopId && (isAnyVersion || loopVersion === choice.loopVersion);
}

function checkProviderOptions(
  { providerOptions = {} }: PromptSpec,
  report: Report,
  refuse: Refuse,
): void {
  const providers = Object.entries(providerOptions);
  if (providers.length > OPTION_PROVIDERS_MAX) {
    const message = `a prompt has options for at most ${OPTION_PROVIDERS_MAX} providers`;
    refuse("providerOptions", message, "remove some of them");
  }
  if (utf8Length(canonicalize(providerOptions)) > PROVIDER_OPTIONS_BYTES_MAX) {
    const message = `the options are larger than ${PROVIDER_OPTIONS_BYTES_MAX} bytes`;
    refuse("providerOptions", message, "make them smaller");
  }
  for (const [provider, options] of providers) {
    if (!isPlainObject(options)) continue;
    for (const [name, value] of Object.entries(options)) {
      const fault = findOptionFault(name, value);
      if (fault === undefined) continue;
      const path = `/prompt/providerOptions${formatPointer([provider, name])}`;
      report.refuse({ rule: "setting-unfit", path, ...fault });
    }
  }
}

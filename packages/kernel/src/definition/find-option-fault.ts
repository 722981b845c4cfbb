/**
 * Which options of providers a prompt may not have.
 *
 * Names are looked up under every provider and in every spelling, since some packages pass options
 * on unchanged.
 */
import { isPlainObject, type JsonValue, type Problem } from "@turnseal/protocol";

type Fault = Pick<Problem, "message" | "mend">;

/** Options that make a provider keep or use state, or act by itself. */
const stateful: ReadonlySet<string> = new Set([
  "agent",
  "background",
  "cachedcontent",
  "container",
  "continuationtoken",
  "conversation",
  "environment",
  "interactionid",
  "mcpservers",
  "previousinteractionid",
  "previousresponseid",
  "store",
  "thread",
]);

/** Options whose reading, effect or price differs from the log and the price table. */
const unrecorded: ReadonlySet<string> = new Set([
  "bestof",
  "contextmanagement",
  "extrabody",
  "inferencegeo",
  "instructions",
  "plugins",
  "promptcacheretention",
  "servicetier",
  "speed",
  "systemmessagemode",
  "truncation",
  "websearchoptions",
]);

/** Names that the runtime records, reserves or pays by. */
const owned: ReadonlySet<string> = new Set([
  "fallbacks",
  "functioncall",
  "functions",
  "input",
  "maxcompletiontokens",
  "maxnewtokens",
  "maxoutputtokens",
  "maxtokens",
  "messages",
  "model",
  "models",
  "n",
  "prompt",
  "stream",
  "streamoptions",
  "toolchoice",
  "tools",
]);

/** Finds the fault of an option, if it has one. */
export function findOptionFault(name: string, value: JsonValue): Fault | undefined {
  const plain = name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase();
  if (plain === "store" && value === false) return undefined;
  if (stateful.has(plain)) {
    const message = `\`${name}\` makes a provider keep state, or act by itself`;
    return { message, mend: "remove it: the log is what a request is made from" };
  }
  if (unrecorded.has(plain)) {
    const message = `\`${name}\` changes what is read or paid, and no record would say so`;
    return { message, mend: "remove it" };
  }
  if (owned.has(plain))
    return { message: `\`${name}\` is the runtime's own`, mend: "use the field of the prompt" };
  // Its tokens are not in the limit of the output, and would not be reserved.
  if (plain === "thinking" && isPlainObject(value) && value["type"] === "enabled")
    return { message: "thoughts would not be reserved", mend: "write `reasoning`" };
  return undefined;
}

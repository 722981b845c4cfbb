/**
 * Which options of providers a prompt may not have.
 *
 * They are looked for by name under every provider, however the name is written: some packages hand
 * on whatever they are given.
 */
import { isPlainObject, type JsonValue, type Problem } from "@turnseal/protocol";

type Fault = Pick<Problem, "message" | "mend">;

/** What makes a provider keep something, use what it kept, or act by itself. */
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

/** What is read, acted upon or paid for otherwise than the log and the prices say. */
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

/** What a request is recorded, reserved and paid by. */
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

/** What is wrong with an option, if anything is. */
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

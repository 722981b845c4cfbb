/** Names the argument that should be an id, and is none: a store would say it in its own words. */
import { HostError } from "../host-error.ts";

/** The ids among the arguments of each verb, by place; an empty name is no id. */
const IDS = {
  signal: ["run"],
  showMessage: ["run", "message"],
  keepFile: ["run"],
  readFile: ["run", "digest"],
  cancel: ["run"],
  retry: ["run"],
  resolve: ["run"],
  requests: ["run"],
  decide: ["run", "approval"],
  answer: ["run", "question"],
  checkResume: ["run"],
  replay: ["run"],
  listRollback: ["run"],
  rollback: ["run"],
  triggered: ["run"],
  show: ["run"],
  events: ["run"],
  readOutput: ["", "run"],
  readParts: ["run"],
  advance: ["run"],
  drive: ["run"],
  resume: ["", "run"],
  stream: ["run"],
} as const;

/** Verbs that answer with a stream: they refuse at once. */
const streams: ReadonlySet<string> = new Set(["events", "replay", "stream"]);

type Verb = (...given: readonly unknown[]) => unknown;

/** The same verbs; each refuses an id that is no text, or empty, before anything else. */
export function checkIds<Verbs extends object>(verbs: Verbs): Verbs {
  const checked = Object.entries(IDS).flatMap(([name, ids]) => {
    const verb: unknown = Object.hasOwn(verbs, name) ? Reflect.get(verbs, name) : undefined;
    if (typeof verb !== "function") return [];
    const run = verb as Verb;
    const strict: Verb = streams.has(name)
      ? (...given) => {
          refuseMissing(name, ids, given);
          return run(...given);
        }
      : async (...given) => {
          refuseMissing(name, ids, given);
          return run(...given);
        };
    return [[name, strict] as const];
  });
  // Each takes and gives what the verb of its name does.
  return { ...verbs, ...Object.fromEntries(checked) } as Verbs;
}

function refuseMissing(verb: string, ids: readonly string[], given: readonly unknown[]): void {
  for (const [place, name] of ids.entries()) {
    const id = given[place];
    if (name === "" || (typeof id === "string" && id !== "")) continue;
    const found = id === "" ? "empty" : id === null ? "null" : `of type ${typeof id}`;
    throw new HostError(
      "ID_MISSING",
      `the argument \`${name}\` of \`${verb}\` is ${found}: give an id`,
    );
  }
}

/** Requests to people: approvals and questions as an honest kernel makes and takes them. */
import { type JsonObject, UNKNOWN_PERSON } from "@turnseal/protocol";
import type { Draft, Link } from "./draft.ts";
import { type Action, claim, leaveUnknown, prepareTool, settle } from "./honest-actions.ts";
import { maybe } from "./honest-grants.ts";
import {
  type Place,
  person,
  placeOf,
  plainDigest,
  type RunWriter,
  reference,
} from "./run-writer.ts";

const approvers = ["erin", "frank", "grace"];
const HOUR_MS = 3_600_000;

/** A tool that is done once enough people have approved it. */
export const approveTool: Action = (writer, place) => {
  const { random } = writer;
  const role = random.next() < 0.7 ? "finance" : undefined;
  const facts = prepareTool(writer, place, role);
  if (facts === undefined) return;
  const wanted = 1 + random.below(2);
  const asking = ask(writer, place, facts, { wanted, role, edited: [] });
  const outcome = random.next();
  if (outcome < 0.1) return expire(writer, place, asking);
  if (outcome < 0.2) return void say(writer, place, asking, { id: "carol", choice: "reject" });
  const edited = outcome < 0.35 ? edit(writer, place, asking, { wanted, role }) : asking;
  for (const id of approvers.slice(0, wanted))
    say(writer, place, edited, { id, choice: "approve" });
  const claimed = claim(writer, place, edited.claim, {
    approval: { of: edited.id, as: "sequence" },
  });
  if (random.next() < 0.8) settle(writer, place, claimed);
  else leaveUnknown(writer, place, claimed);
};

interface Asking {
  readonly id: string;
  readonly content: JsonObject;
  /** The claim after the approval. */
  readonly claim: JsonObject;
}

interface AskedOf {
  readonly wanted: number;
  readonly role: string | undefined;
}

function ask(
  writer: RunWriter,
  place: Place,
  facts: JsonObject,
  { wanted, role, edited }: AskedOf & { readonly edited: readonly string[] },
): Asking {
  const { random } = writer;
  const isStrict = random.next() < 0.5 || edited.length > 0;
  // Without the starter of a turn, nobody can be excluded as the starter.
  const { starters } = place;
  const isKnown = starters.length > 0 && !starters.includes(UNKNOWN_PERSON);
  const excluded = [...new Set([...(isKnown ? starters : []), ...edited])];
  const shared: JsonObject = {
    ...maybe(random, { rule: { id: "ask-first", file: "rules.toml", line: 3 } }),
    ...(role === undefined ? {} : { role }),
    ...(isStrict ? { excluded } : {}),
    policy: plainDigest("policy"),
  };
  const { needs: _, ...asked } = facts;
  const atMs = Date.parse(writer.now());
  const content: JsonObject = {
    ...{ ...asked, ...shared, loop: "add", version: "1.0.0", grant: plainDigest("grant") },
    ...(isStrict ? { exclude: isKnown ? ["starter", "editor"] : ["editor"] } : {}),
    ...{ approvers: wanted, onReject: "tell", useWithinMs: 30 * 24 * HOUR_MS },
    decideBy: new Date(atMs + 30 * 24 * HOUR_MS).toISOString(),
  };
  const id = writer.add("approval.requested", content, placeOf(place));
  writer.add("turn.waiting", { for: "person" }, { turn: place.turn });
  return { id, content, claim: { ...facts, ...shared } };
}

function say(
  writer: RunWriter,
  place: Place,
  { id, content }: Asking,
  { id: who, choice }: { readonly id: string; readonly choice: string },
): void {
  writer.wait(writer.random.below(60_000));
  const { key = "", role } = content;
  writer.add(
    "approval.decided",
    { key, choice, roles: role === undefined ? [] : [role], receivedAt: writer.now() },
    { ...placeOf(place), actor: person(who), links: about(id, "approval") },
  );
}

function about(id: string, field: "approval" | "question"): Record<string, Link> {
  return { [field]: { of: id, as: "sequence" }, hash: { of: id, as: "hash" } };
}

/** A person edits the arguments: the same key is asked for again. */
function edit(writer: RunWriter, place: Place, asking: Asking, askedOf: AskedOf): Asking {
  say(writer, place, asking, { id: "carol", choice: "edit" });
  const { rule: _, role: __, excluded: ___, policy: ____, ...facts } = asking.claim;
  const digest = reference(writer.name("digest"))["digest"] ?? "";
  return ask(writer, place, { ...facts, digest }, { ...askedOf, edited: ["carol"] });
}

function expire(writer: RunWriter, place: Place, { id, content: { key = "" } }: Asking): void {
  writer.add("approval.expired", { key }, { ...placeOf(place), links: about(id, "approval") });
}

/** A tool that needs an answer: it did nothing, a person answers, and it is called again. */
export const answerTool: Action = (writer, place) => {
  const facts = prepareTool(writer, place);
  if (facts === undefined) return;
  const claimed = claim(writer, place, facts);
  const { key = "", reserve = {}, periods } = claimed.content;
  writer.add(
    "action.settled",
    {
      ...{ action: "tool", key, reserve, ...(periods === undefined ? {} : { periods }) },
      ...{ status: "failed", spent: { toolCalls: 1 }, durationMs: 0, asks: reference("asks") },
    },
    { ...placeOf(place), links: { claim: { of: claimed.id, as: "sequence" } } },
  );
  const isAnswered = putQuestion(writer, place, {
    to: "person",
    more: {},
    links: { claim: { of: claimed.id, as: "sequence" } },
  });
  if (!isAnswered) return;
  const digest = reference(writer.name("digest"))["digest"] ?? "";
  settle(writer, place, claim(writer, place, { ...facts, key: writer.name("key"), digest }));
};

/** A question to a person, or to an agent outside. */
export const askQuestion: Action = (writer, place) => {
  const { random } = writer;
  const to = random.pick(["person", "agent"] as const);
  const more = random.next() < 0.5 ? { role: "support" } : {};
  putQuestion(writer, place, { to, more, links: {} });
};

interface Questioned {
  readonly to: "person" | "agent";
  readonly more: { readonly role?: string };
  readonly links: Readonly<Record<string, Link>>;
}

/** A question and mostly its answer; true if there is one. */
function putQuestion(writer: RunWriter, place: Place, { to, more, links }: Questioned): boolean {
  const key = writer.name("key");
  const content = { key, loop: "confirm", version: "1.0.0", to, ...more };
  const asked = { digest: reference("q")["digest"] ?? "", request: reference("q") };
  const id = writer.add("question.asked", { ...content, ...asked }, { ...placeOf(place), links });
  if (writer.random.next() < 0.2) return false;
  const answer: Partial<Draft> = { actor: { kind: to, id: "heidi" }, links: about(id, "question") };
  writer.add(
    "question.answered",
    { key, roles: Object.values(more), receivedAt: writer.now(), answer: reference("yes") },
    { ...placeOf(place), ...answer },
  );
  return true;
}

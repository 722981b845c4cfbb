import {
  checkDecision,
  checkPerson,
  checkStanding,
  type DecisionToSend,
  decideMessage,
  isEditable,
  type KeptWord,
  listMisfits,
} from "@turnseal/host";
import { type JsonValue, missingApprovals } from "@turnseal/protocol";
import type { FoundRequest, StoreFolder } from "@turnseal/runtime/folder";
import { formatDuration } from "@turnseal/terminal";
import { describePattern, describeRest } from "@turnseal/terminal/inbox";
import type { ExitCode } from "../exit-codes.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { readJsonOption } from "../terminal/read-input.ts";
import { accept } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type PutOptions, type PutWords, putMessage } from "./put-message.ts";
import { readStandingOf, type StandOptions } from "./read-standing.ts";
import { openRegistry, reportAgainst, withRequest } from "./with-request.ts";

export interface DecideOptions extends PutOptions, StandOptions {
  readonly from?: readonly string[];
  readonly reason?: string;
  /** Other arguments, as JSON or `@file`. */
  readonly edit?: string;
}

type Decide = (
  name: string,
  options: DecideOptions,
  surroundings: Surroundings,
) => Promise<ExitCode>;

/** `turnseal approve`: a person's approval, which may change the arguments. */
export const runApprove: Decide = (name, options, surroundings) =>
  runDecide("approve", name, { ...options, surroundings });

/** `turnseal reject`: a person's rejection. */
export const runReject: Decide = (name, options, surroundings) =>
  runDecide("reject", name, { ...options, surroundings });

async function runDecide(
  choice: "approve" | "reject",
  name: string,
  options: DecideOptions & { readonly surroundings: Surroundings },
): Promise<ExitCode> {
  const { environment } = options.surroundings;
  const { edit, reason } = options;
  const next = `turnseal approve ${name} --edit '<json>'`;
  const edited =
    edit === undefined ? undefined : accept(await readJsonOption(edit, "--edit"), { next });
  const decision: DecisionToSend = {
    choice: edited === undefined ? choice : "edit",
    by: readIdentity(environment),
    ...(reason === undefined ? {} : { reason }),
    ...(edited === undefined ? {} : { arguments: edited.value as JsonValue }),
  };
  return withRequest({ kind: "approval", name }, options, (found, folder) => {
    const standing = readStandingOf(found.request, options);
    return sendDecision({ ...decision, ...standing }, { ...found, folder }, options);
  });
}

async function sendDecision(
  decision: DecisionToSend,
  found: FoundRequest & { readonly folder: StoreFolder },
  {
    surroundings: { terminal },
    ...options
  }: DecideOptions & { readonly surroundings: Surroundings },
): Promise<ExitCode> {
  const { known, folder, request } = found;
  const { by, arguments: edited } = decision;
  const put = (): Promise<ExitCode> => {
    const words = describeDecision(decision, found);
    const message = decideMessage(request.run, request, decision);
    return putMessage(message, { known, folder }, { ...options, terminal, words });
  };
  if (edited === undefined)
    return (await reportAgainst(() => checkWords(decision, found), { by, terminal })) ?? put();
  const registry = await openRegistry({ known }, folder, options);
  const problems = isEditable(request) ? listMisfits(registry, request, edited) : [];
  const check = () => checkDecision(registry, request, decision);
  return (await reportAgainst(check, { by, problems, terminal })) ?? put();
}

function checkWords(decision: DecisionToSend, { known, request }: FoundRequest): void {
  checkPerson(request, decision.by, decision.choice);
  const { projection } = known;
  if (projection !== undefined) checkStanding(projection, request, decision, request.request);
}

/** The decision, and its effect. */
function describeDecision(
  { choice, by, standing, pattern }: DecisionToSend,
  { request, waiting }: FoundRequest,
): PutWords {
  const { id, name, approvers, approvedBy, role, facts, hash } = request;
  const told = { facts: { approval: id, choice, by: by.id } };
  const done = `${name} is ${{ approve: "approved", reject: "rejected", edit: "edited" }[choice]}`;
  const first = findEarlier(waiting, { hash, by: by.id });
  if (first !== undefined)
    return {
      ...told,
      done: `your ${choice} of ${name} is saved`,
      after: `${first.by} answered before you: ${first.said}. Yours counts only if that is refused`,
    };
  const words = { ...told, done: `${done} by ${by.id}` };
  if (choice === "edit")
    return { ...words, after: "a new approval request is created, with the edited arguments" };
  if (choice === "reject") {
    const isTold = facts["onReject"] === "tell";
    return {
      ...words,
      after: isTold ? "the loop that asked learns of it, and the run continues" : "the run ends",
    };
  }
  const kept = waiting.kept.filter(({ about, said }) => about === hash && said === "approve");
  const people = [...approvedBy, ...kept.map((word) => word.by), by.id];
  const missing = missingApprovals(approvers, people);
  if (missing === 0) {
    const after = "the action is executed, in the same turn";
    if (standing === undefined) return { ...words, after };
    const { uses: usesLeft, withinMs, amounts } = standing;
    const rest = describeRest(amounts === undefined ? { usesLeft } : { usesLeft, left: amounts });
    const most = `${rest} within ${formatDuration(withinMs)}: ${describePattern(pattern)}`;
    return { ...words, after: `${after}; then at most ${most}` };
  }
  const whose = role === null ? "" : `, from people with the role ${role}`;
  return { ...words, after: `${missing} of ${approvers} approvals still needed${whose}` };
}

/** The answer of another person that the run has not read yet, and that decides the request. */
function findEarlier(
  { kept, answered }: FoundRequest["waiting"],
  { hash, by }: { readonly hash: string; readonly by: string },
): KeptWord | undefined {
  const isMine = kept.some((word) => word.about === hash && word.by === by);
  if (!answered.has(hash) || isMine) return undefined;
  return kept.find((word) => word.about === hash);
}

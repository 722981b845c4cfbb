/** The requests of a run: approvals, questions, and unknown actions. */

import type { OpenClaim, UnknownClaim } from "@turnseal/folds";
import { listAnswers, type Waiting } from "@turnseal/host";
import { type Line, line, renderNext, toned } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { shortId } from "../screen/short-id.ts";
import { describeKept } from "./describe-request.ts";
import { renderBrief } from "./render-brief.ts";
import { renderProvider } from "./render-provider.ts";
import { renderQuarantined } from "./render-quarantined.ts";
import {
  ANSWERED,
  type CardOptions,
  renderRequest,
  renderResumeOf,
  toJsonRequest,
} from "./render-request.ts";
import { signalCommand } from "./signal-command.ts";

/** Cards of a run that are shown when it begins to wait; a fan-out may have hundreds. */
export const CARDS_SHOWN_MAX = 10;

/** Renders what a run waits for, and the commands that answer. */
export function renderWaiting(waiting: Waiting, options: CardOptions): Line[] {
  const signalled = renderSignals(waiting);
  if (signalled.length > 0 && waiting.requests.length + waiting.unknown.length === 0)
    return signalled;
  if (waiting.provider !== undefined) return renderProvider(waiting.run, waiting.provider);
  const requests = waiting.requests.slice(0, CARDS_SHOWN_MAX);
  const rest = waiting.requests.length - requests.length;
  return [
    line(toned("warning", "waiting for a person"), `  ${waiting.run}`),
    ...requests.flatMap((request) => renderBrief(request, waiting, options)),
    ...(requests.length === 0 ? [] : [renderPointer(waiting.run)]),
    ...renderCards({ ...waiting, requests: [] }, options),
    ...(rest === 0 ? [] : [line(`and ${rest} more: turnseal inbox ${shortId(waiting.run)}`)]),
    ...signalled,
  ];
}

/** Costs, the way back and everything else stand on the whole card. */
function renderPointer(run: string): Line {
  return line(toned("faint", `the whole card: turnseal inbox ${shortId(run)}`));
}

/** The awaited signals, beside the requests. */
export function renderSignals({ run, signals, unfit, samples, failure }: Waiting): Line[] {
  const [signal] = signals;
  if (signal === undefined) return [];
  return [
    line(toned("warning", `waiting for ${signals.join(" or ")}`), `  ${run}`),
    ...(failure === undefined ? [] : [line("  ", `the last message got no answer: ${failure}`)]),
    ...unfit.map((name) => line("  ", `a signal ${name} came before; its payload does not fit`)),
    renderNext(signalCommand(run, signal, samples[signal])),
  ];
}

/** The cards alone. */
export function renderCards(waiting: Waiting, options: CardOptions): Line[] {
  const { requests, unknown, answered } = waiting;
  const open = unknown.filter(({ hash }) => !answered.has(hash));
  const isResolved = unknown.length > 0 && open.length === 0;
  return [
    ...requests.flatMap((request) => renderRequest(request, waiting, options)),
    ...unknown.flatMap((claim) => renderUnknown(claim, waiting)),
    ...(open.length === 0 ? [] : renderAnswers(waiting, open)),
    ...(isResolved ? renderResumeOf(options) : []),
    ...renderQuarantined(waiting),
  ];
}

function renderUnknown(
  { key, name, effect, claim, deadlineAt, role, hash, isWithdrawn }: UnknownClaim,
  { kept, run, stopped }: Waiting,
): Line[] {
  const words = describeKept(hash, kept);
  return [
    line("  ", toned("strong", name), ": it is not known whether it happened"),
    ...renderDetail("run", stopped === null ? undefined : `${shortId(run)} stopped: ${stopped}`),
    ...renderDetail("declared", effect),
    ...renderDetail("why", whyUnknown.get(effect)),
    ...renderDetail("claimed", `event ${claim}, deadline ${deadlineAt}`),
    ...renderDetail("key", key),
    ...renderDetail("waits", isWithdrawn ? "nothing: its item was withdrawn" : undefined),
    ...renderDetail("decides", role === null ? undefined : `a person with the role ${role}`),
    ...renderDetail("decisions", words.length === 0 ? undefined : words.join("; ")),
  ];
}

/** Why only a person can resolve it. */
const whyUnknown: ReadonlyMap<string, string> = new Map([
  ["once", "it threw or was cut off, and may have acted; `once` says that no second call is safe"],
  ["reconcile", "it threw or was cut off, and its own answer about it is: not sure"],
  ["idempotent", "it was cut off, and a second call with its key gave no answer"],
]);

/** An unknown action as one line of a list. */
export function renderUnknownRow(
  { run, answered, stopped }: Pick<Waiting, "run" | "answered" | "stopped">,
  { key, name, role, hash }: UnknownClaim,
): Line {
  const how = stopped === null ? "" : ` (${stopped})`;
  const who = role === null ? "" : `  for ${role}`;
  return line(
    toned("strong", shortId(key)),
    "  ",
    toned("warning", "unknown "),
    `  ${name}${who}`,
    toned("faint", `  run ${shortId(run)}${how}${answered.has(hash) ? ANSWERED : ""}`),
  );
}

function renderAnswers(waiting: Waiting, unknown: readonly UnknownClaim[]): Line[] {
  const key = unknown.length > 1 ? " <key>" : "";
  const command = `turnseal resolve ${shortId(waiting.run)}${key}`;
  const isWithdrawn = unknown.every((claim) => claim.isWithdrawn === true);
  return listAnswers(waiting, { isWithdrawn }).map((answer, at) => {
    const result = answer === "happened" ? " --result '<what it answered>'" : "";
    return line(
      "  ",
      toned("faint", at === 0 ? "next: " : "  or: "),
      `${command} ${answer}${result}`,
    );
  });
}

/** The same for programs. */
export function toWaitingLine(waiting: Waiting, options: Pick<CardOptions, "content">): object {
  const { run, unknown, signals, samples, provider, failure } = waiting;
  const person = signals.length === 0 ? "person" : "signal";
  return {
    type: "waiting",
    run,
    for: provider === undefined ? person : "provider",
    ...(provider === undefined ? {} : { provider }),
    ...(failure === undefined ? {} : { failure }),
    ...(signals.length === 0 ? {} : { signals, samples }),
    ...listWaiting(waiting, options),
    unknown: unknown.map(toJsonClaim),
  };
}

/** Approvals and questions as JSON lists them. */
export function listWaiting(
  { requests, kept, answered }: Waiting,
  { content }: Pick<CardOptions, "content">,
) {
  const list = (kind: string): object[] =>
    requests
      .filter((request) => request.kind === kind)
      .map((request) => toJsonRequest(request, { content, kept, answered }));
  return { approvals: list("approval"), questions: list("question") };
}

/** An open claim as JSON shows it. */
export function toJsonClaim(open: UnknownClaim & Partial<Pick<OpenClaim, "isUnknown">>): object {
  const { key, name, effect, claim, deadlineAt, isUnknown = true } = open;
  return { key, name, effect, claim, deadlineAt, isUnknown };
}

/** A page about one run, as small as somebody else would write it. */
import { applyEvent, emptyProjection, type RunProjection } from "@turnseal/folds";
import type { LoopEvent } from "@turnseal/protocol";
import {
  adviseAfter,
  explainReason,
  findAwaitedProvider,
  findBlocked,
  followReports,
} from "./index.ts";

/** Renders a run from all of its events, in order. */
export function renderRun(run: string, events: readonly LoopEvent[]): string {
  const state = events.reduce(applyEvent, emptyProjection(run));
  const report = followReports();
  const reports = events.flatMap((event) => report(event) ?? []);
  const { loop, version } = state.spec ?? { loop: "unknown", version: "" };
  const turns = reports.map(
    ({ turn, outcome, decision, decisionReason }) =>
      `turn ${turn}: ${outcome}, ${decision}: ${explainReason(decisionReason)}`,
  );
  const spent = Object.entries(state.spending.settled).map(([unit, sum]) => `${unit}: ${sum}`);
  return [
    `<h1>${escapeHtml(`${loop} ${version}`)}</h1>`,
    `<p>${escapeHtml(describeState(state))}</p>`,
    renderList("Waits", describeWaits(state)),
    renderList("Turns", turns),
    renderList("Spent", spent),
  ].join("\n");
}

function describeState(state: RunProjection): string {
  if (state.stopped !== null)
    return [`stopped: ${explainReason(state.stopped)}`, adviseAfter(state.stopped) ?? []]
      .flat()
      .join("; ");
  const blocked = findBlocked(state);
  if (blocked !== undefined) return `blocked: ${blocked.words}`;
  if (state.openTurn !== null) return `running, turn ${state.openTurn.turn}`;
  return `after turn ${state.turns}`;
}

function describeWaits(state: RunProjection): string[] {
  const provider = findAwaitedProvider(state);
  const asked = state.openTurn?.asked ?? [];
  return [
    ...asked.map(({ kind, name, loop, decideBy }) => {
      const until = decideBy === null ? "" : `, until ${decideBy}`;
      return `a person: the ${kind} of ${kind === "approval" ? name : loop}${until}`;
    }),
    ...(provider === undefined ? [] : [`a provider: ${provider.words}`]),
  ];
}

const renderList = (title: string, lines: readonly string[]): string =>
  `<h2>${title}</h2>\n<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

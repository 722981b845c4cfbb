import type { Mutant } from "./mutant.ts";

/** Faults in how a run takes messages, goes on and ends. */
export const endingMutants: readonly Mutant[] = [
  {
    name: "input-of-a-turn-without-its-number",
    file: "packages/protocol/src/run/run-spec.ts",
    find: '"output", "turn", "signals"]',
    replace: '"output", "signals"]',
  },
  {
    name: "blocked-run-ends",
    file: "packages/host/src/advance.ts",
    find: 'if (result.kind === "blocked") return leaveRun(held, result.block, options);',
    replace:
      'if (result.kind === "blocked") { held.appender.push(() => ({ type: "run.stopped", actor: { kind: "host", id: "host" }, content: { reason: "drifted" } })); break; }',
  },
  {
    name: "blocked-said-at-every-look",
    file: "packages/host/src/decide/block-run.ts",
    find: "if (blocked?.cause !== cause || blocked.what !== what || blocked.until !== until) {",
    replace: "{",
  },
  {
    name: "blocked-look-is-a-resume",
    file: "packages/host/src/turn/run-next-turn.ts",
    find: 'if (block !== undefined) return { kind: "blocked", block };',
    replace: "",
  },
  {
    name: "changed-loop-is-taken",
    file: "packages/kernel/src/admission/find-loops.ts",
    find: "loop.digest !== digest || hasLost",
    replace: "hasLost",
  },
  {
    name: "unbound-tool-is-begun",
    file: "packages/kernel/src/admission/find-loops.ts",
    find: "isReservedTool(name) || tools.find(name, version) !== undefined",
    replace: "isReservedTool(name) || tools !== undefined",
  },
  {
    name: "failed-message-stops-the-run",
    file: "packages/folds/src/projection/apply-event.ts",
    find: 'if (spec?.bounds.onFailure !== "wait" || ',
    replace: 'if (spec?.bounds.onFailure !== "never" || ',
  },
  {
    name: "failed-message-is-tried-for-ever",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "const isFailed = !isContinued && !isGivenUp && ",
    replace: "const isFailed = !isContinued && ",
  },
  {
    name: "failures-of-two-messages-are-one-sum",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "const failures = isGivenUp ? 0 : counted;",
    replace: "const failures = counted;",
  },
  {
    name: "turn-too-many",
    file: "packages/host/src/decide/decide-stop.ts",
    find: "(run.outages ?? 0) >= turnsMax",
    replace: "(run.outages ?? 0) > turnsMax",
  },
  {
    name: "round-too-many",
    file: "packages/kernel/src/flow/run-prompt.ts",
    find: "round < roundsMax",
    replace: "round <= roundsMax",
  },
  {
    name: "deadline-a-moment-late",
    file: "packages/host/src/decide/decide-stop.ts",
    find: "nowMs >= Date.parse(bounds.deadlineAt)",
    replace: "nowMs > Date.parse(bounds.deadlineAt)",
  },
  {
    name: "expiry-a-moment-late",
    file: "packages/kernel/src/admission/admit-turn.ts",
    find: "Date.parse(started.at) < Date.parse(grant.expiresAt)",
    replace: "Date.parse(started.at) <= Date.parse(grant.expiresAt)",
  },
  {
    name: "receipt-not-missed",
    file: "packages/host/src/decide/decide-stop.ts",
    find: "lastTurn !== null && !hasReceipt",
    replace: "lastTurn === undefined",
  },
  {
    name: "stale-state-used",
    file: "packages/host/src/state/load-projection.ts",
    find: "snapshot.sequence > head.sequence",
    replace: "snapshot.sequence > Number.MAX_SAFE_INTEGER",
  },
  {
    name: "resume-too-many",
    file: "packages/host/src/turn/run-next-turn.ts",
    find: "openTurn.resumes >= spec.bounds.resumesMax",
    replace: "openTurn.resumes > spec.bounds.resumesMax",
  },
  {
    name: "cancel-unheard",
    file: "packages/kernel/src/turn/watch-for-cancel.ts",
    find: "if (await takeCancel()) cancel.abort();",
    replace: "",
  },
  {
    name: "start-key-of-the-input",
    file: "packages/host/src/messages/start-run.ts",
    find: ": runOfKey(start.key, cell);",
    replace: ": runOfKey(JSON.stringify(input) + start.key, cell);",
  },
  {
    name: "other-message-known",
    file: "packages/ports/src/stores/memory-rows.ts",
    find: "return known === said ?",
    replace: "return known.length > 0 ?",
  },
  {
    name: "signal-in-the-prompt",
    file: "packages/host/src/turn/run-next-turn.ts",
    find: "if (mapping === undefined || isFirst) return content.read(input);",
    replace: [
      "const [told] = Object.values(signals);",
      "  if (mapping === undefined || isFirst)",
      "    return told === undefined ? content.read(input) : { word: await content.read(told) };",
    ].join("\n"),
  },
  {
    name: "signal-in-the-log",
    file: "packages/host/src/inbox/take-inbox.ts",
    find: "content: { kind, key, receivedAt, name },",
    replace: "content: { kind, key, receivedAt, name, said: payload },",
  },
  {
    name: "log-takes-any-word-of-a-person",
    file: "packages/host/src/inbox/draft-resolution.ts",
    find: ': mayResolve(resolution, { effect, by: "person" });',
    replace: ': mayResolve("abandon", { effect, by: "person" });',
  },
  {
    name: "host-puts-any-word-of-a-person",
    file: "packages/host/src/messages/requests.ts",
    find: "!answers.includes(resolution)",
    replace: '!answers.includes("abandon")',
  },
  {
    name: "signals-used-together",
    file: "packages/folds/src/projection/awaited-signals.ts",
    find: "count: awaited.count - 1,",
    replace: "count: 0,",
  },
  {
    name: "missed-times-made-up-one-by-one",
    file: "packages/host/src/schedule/next-tick.ts",
    find: "latestMs <= nowMs ? latestMs : first",
    replace: "latestMs <= nowMs ? first : first",
  },
];

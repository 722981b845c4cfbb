/**
 * Faults of one line, each in a guard of the runtime. Every one of them must make some seed fail.
 */
import type { Mutant } from "../mutants/mutant.ts";

export interface GuardMutant extends Omit<Mutant, "fails"> {
  /** The first seed: where few seeds notice, one that does. */
  readonly from?: number;
}

const journal = "packages/kernel/src/journal";
const approval = "packages/protocol/src/approval/approval.ts";
const handOff = "packages/kernel/src/actions/hand-off.ts";

export const guardMutants: readonly GuardMutant[] = [
  {
    name: "fence-open",
    file: "packages/ports/src/stores/memory-rows.ts",
    find: 'if (rows.epoch !== append.epoch) return { kind: "fenced", epoch: rows.epoch };',
    replace: "",
  },
  {
    name: "fence-unheard",
    file: `${journal}/write-batch.ts`,
    find: 'if (answer.kind === "fenced") {',
    replace: "if (false) {",
  },
  {
    name: "act-before-claim-is-durable",
    file: `${journal}/claim-and-act.ts`,
    find: "await appender.flush();",
    replace: "",
  },
  {
    name: "deadline-unchecked",
    file: "packages/kernel/src/journal/run-bounded.ts",
    find: "if (remainingMs <= 0)",
    replace: "if (false)",
  },
  {
    name: "no-grace",
    file: `${journal}/recover-claim.ts`,
    find: 'Date.parse(String(claim.content["deadlineAt"])) + GRACE_MS',
    replace: 'Date.parse(String(claim.content["deadlineAt"]))',
  },
  {
    name: "key-of-the-attempt",
    file: `${journal}/turn-journal.ts`,
    find: "path: frame.path,",
    replace: "path: frame.path + options.appender.epoch,",
  },
  {
    name: "settled-done-again",
    file: `${journal}/turn-journal.ts`,
    find: 'if (known.end?.type === "action.settled")',
    replace: "if (false)",
  },
  {
    name: "once-done-again",
    file: `${journal}/recover-claim.ts`,
    find: "askPerson(known, step) : reconcileClaim",
    replace: "claimAndAct(step, claim) : reconcileClaim",
  },
  {
    name: "cut-off-is-settled",
    file: `${journal}/claim-and-act.ts`,
    find: "return facts.hasBegun;",
    replace: "return false;",
  },
  {
    name: "failure-after-again-is-certain",
    file: `${journal}/claim-and-act.ts`,
    find: 'if (effect === "idempotent" && facts.superseded !== undefined) return true;',
    replace: "",
  },
  {
    name: "orphan-costs-nothing",
    file: "packages/protocol/src/budget/fold-spending.ts",
    find: "assumed: addAmounts(spending.assumed, reserve),",
    replace: "",
  },
  {
    name: "cap-unchecked",
    file: `${journal}/find-room.ts`,
    find: "excess === undefined ? { reserve",
    replace: "true ? { reserve",
  },
  {
    name: "record-left-over",
    file: `${journal}/recorded-turn.ts`,
    find: "if (left !== undefined)",
    replace: "if (false)",
  },
  {
    name: "time-of-a-log-line",
    file: `${journal}/turn-journal.ts`,
    find: "frame.recorder.follow(event);",
    replace: "{}",
  },
  {
    name: "grant-ignored",
    file: "packages/kernel/src/actions/admit-tool.ts",
    find: 'admission.kind === "admitted" ? succeed(admission)',
    replace: "true ? succeed({ terms: [], approvals: [], ...admission })",
  },
  {
    name: "receipt-forgotten",
    file: `${journal}/appender.ts`,
    find: "batch.receipt = receipt;",
    replace: "",
  },
  {
    name: "reported-before-durable",
    file: "packages/kernel/src/turn/run-turn.ts",
    find: [
      "const closed = await sealTurn({ turn, outcome, recorded }, ports);",
      "  await ports.appender.flush();",
    ].join("\n"),
    replace: "const closed = await sealTurn({ turn, outcome, recorded }, ports);",
  },
  {
    name: "look-left-behind",
    file: "packages/kernel/src/turn/watch-for-cancel.ts",
    find: "await looking;",
    replace: "",
  },
  {
    name: "snapshot-believed",
    file: "packages/host/src/load-projection.ts",
    find: "if (snapshot !== undefined && snapshot.sequence > head.sequence)",
    replace: "if (false)",
  },
  {
    name: "gate-skipped",
    file: `${journal}/turn-journal.ts`,
    find: "await passGate(asking)",
    replace: '{ kind: "passed", step: asking, facts: {} } as Awaited<ReturnType<typeof passGate>>',
  },
  {
    name: "order-of-acting-ignored",
    file: `${journal}/gate.ts`,
    find: "step.frame.branch.isBehind() ? wait(undefined) : pass",
    replace: "false ? wait(undefined) : pass",
  },
  {
    name: "use-by-unchecked",
    file: `${journal}/claim-and-act.ts`,
    find: "approved !== undefined && !(nowMs <= approved.useByMs)",
    replace: "false",
  },
  {
    name: "approved-is-not-judged-again",
    file: `${journal}/gate.ts`,
    find: 'if (judgement.kind === "denied") return stop(judgement.refusal);\n  // Whether',
    replace: "// Whether",
  },
  {
    name: "grant-runs-out-unseen",
    file: `${journal}/gate.ts`,
    find: '...endOf(grant?.expiresAt, "grant-expired"),',
    replace: "",
  },
  {
    name: "todays-denials-ignored",
    file: "packages/kernel/src/turn/judge-actions.ts",
    find: 'now.kind === "deny" ? now : then',
    replace: "then",
  },
  {
    name: "role-unchecked",
    file: approval,
    find: 'if (role !== undefined && !by.roles.includes(role)) return "role-missing";',
    replace: "",
  },
  {
    name: "decide-by-unchecked",
    file: approval,
    find: "|| receivedAt > decideBy) return",
    replace: ") return",
  },
  {
    name: "one-approver-is-enough",
    file: approval,
    find: "approvedBy.size >= terms.approvers",
    replace: "approvedBy.size >= 1",
  },
  {
    name: "any-request-will-do",
    file: "packages/host/src/take-decision.ts",
    find: "request.kind === kind && request.hash === hash",
    replace: "request.kind === kind",
  },
  {
    name: "edit-not-checked",
    file: "packages/host/src/take-decision.ts",
    find: 'choice === "edit" && findMisfit(registry, request, edited) !== undefined',
    replace: "false",
  },
  {
    name: "answer-not-checked",
    file: "packages/host/src/take-decision.ts",
    find: "answer === undefined || findMisfit(registry, request, answer) !== undefined",
    replace: "answer === undefined",
  },
  {
    name: "step-has-its-callers-grant",
    file: "packages/kernel/src/call/run-call.ts",
    find: "narrowed?.grant ?? request.grant",
    replace: "request.grant",
  },
  {
    name: "handed-all-of-the-tools",
    file: handOff,
    find: "const cut = attenuate(grant, {",
    replace:
      "const cut = attenuate(grant, { depth, ...Object(wanted), tools: grant.tools }); void ({",
  },
  {
    name: "slice-not-reserved",
    file: handOff,
    find: "addAmounts(slice.budget, { handoffs: 1 })",
    replace: "({ handoffs: 1 })",
  },
  {
    name: "depth-not-counted",
    file: handOff,
    find: "HANDOFF_DEPTH_DEFAULT) - 1;",
    replace: "HANDOFF_DEPTH_DEFAULT);",
  },
  {
    name: "handed-to-under-another-id",
    file: "packages/host/src/deliver.ts",
    find: 'return { run: child, key: "start"',
    replace: 'return { run: child.slice(0, -4) + "0000", key: "start"',
  },
  {
    name: "result-taken-twice",
    file: "packages/host/src/projection/apply-event.ts",
    find: 'waiting: null, open: dropClaim(open.open, content) };\n    case "action.resolved"',
    replace: 'waiting: null };\n    case "action.resolved"',
  },
  {
    name: "cancelled-before-those-below",
    file: "packages/kernel/src/flow/call-tools.ts",
    find: '"error" && !isHanded) return failed;',
    replace: '"error") return failed;',
  },
  {
    name: "secret-told",
    file: "packages/kernel/src/actions/execute-tool.ts",
    find: "takeRedacted(await tool.run(input, context), OUTPUT_BYTES_MAX, redactor)",
    replace: "takeRedacted(await tool.run(input, context), OUTPUT_BYTES_MAX, noSecrets.redactor)",
  },
  {
    name: "signal-used-again",
    file: "packages/host/src/find-awaited.ts",
    find: "(run.awaited?.after ?? 0) + 1",
    replace: "1",
  },
  {
    name: "tick-while-one-waits",
    file: "packages/host/src/take-ticks.ts",
    find: "if (tick !== undefined && tick.sequence > after) return [];",
    replace: "",
  },
  {
    name: "tick-forgotten",
    file: "packages/host/src/take-ticks.ts",
    find: 'Date.parse(tick?.at ?? startedAt ?? "")',
    replace: 'Date.parse(startedAt ?? "")',
  },
  {
    name: "neighbours-in-one-time",
    file: `${journal}/turn-recorder.ts`,
    find: "fork: () => openRecorder(shared, { lastMs, idleMs }),",
    replace: "fork() { return this; },",
  },
  {
    name: "group-not-waited-for",
    file: "packages/kernel/src/branch.ts",
    find: "!group.isOpen || ended < start",
    replace: "!group.isOpen",
  },
  {
    name: "left-behind-expires",
    file: `${journal}/gate.ts`,
    find: "isOpen || (await wasLeftBehind(step))",
    replace: "isOpen",
    from: 7476,
  },
];

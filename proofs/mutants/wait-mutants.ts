import type { Mutant } from "./mutant.ts";

const node = "packages/kernel/src/flow/nodes/run-wait.ts";
const asked = "packages/kernel/src/gate/wait-for-signal.ts";
const answered = "packages/host/src/inbox/answer-waits.ts";

/** Faults in what a flow waits for, in who answers it, and in when it is over. */
export const waitMutants: readonly Mutant[] = [
  {
    name: "wait-of-a-moment-more",
    file: asked,
    find: "<= decideByMs;",
    replace: "<= decideByMs + 1;",
  },
  {
    name: "wait-without-a-default",
    file: "packages/kernel/src/definition/flow/check-node.ts",
    find: "withinMs = WAIT_MS_DEFAULT",
    replace: "withinMs = 2 * WAIT_MS_DEFAULT",
  },
  {
    name: "wait-without-a-limit",
    file: "packages/kernel/src/definition/flow/check-node.ts",
    find: "checkLimit(withinMs, { most: QUESTION_WITHIN_MS_MAX, ...place });",
    replace: "checkLimit(withinMs, { most: 2 * QUESTION_WITHIN_MS_MAX, ...place });",
  },
  {
    name: "late-signal-counts",
    file: answered,
    find: " || receivedAt > wait.decideBy",
    replace: "",
  },
  {
    name: "signal-of-any-name",
    file: answered,
    find: "wait.name !== name || ",
    replace: "",
  },
  {
    name: "signal-of-any-shape",
    file: answered,
    find: "validate(payload).length === 0",
    replace: "validate(payload).length >= 0",
  },
  {
    name: "early-signal-lost",
    file: answered,
    find: "  if (heard.length === 0) return;",
    replace: "  if (heard.length >= 0) return;",
  },
  {
    name: "null-in-place-of-a-timeout",
    file: node,
    find: 'return fail("TIMEOUT", outcome.error.message, { wait: path });',
    replace: "return succeed(null);",
  },
  {
    name: "question-with-its-own-time",
    file: node,
    find: "  if (tool === undefined) return loop;",
    replace: "  if (tool !== undefined) return loop;",
  },
  {
    name: "expired-question-denies",
    file: node,
    find: "  if (!isLate) return outcome;",
    replace: '  if (!isLate || onTimeout === "fail") return outcome;',
  },
  {
    name: "time-as-far-is-too-far",
    file: node,
    find: "untilMs - frame.wallMs() > withinMs",
    replace: "untilMs - frame.wallMs() >= withinMs",
  },
  {
    name: "offset-the-other-way",
    file: node,
    find: 'sign === "+" ? -aheadMs : aheadMs',
    replace: 'sign === "+" ? aheadMs : -aheadMs',
  },
  {
    name: "any-offset",
    file: node,
    find: "Number(hours) > 23 || ",
    replace: "",
  },
  {
    name: "wait-of-a-loser-left-open",
    file: "packages/kernel/src/resume/group-by-item.ts",
    find: "return path === undefined ? undefined : findItem(path, fanOut);",
    replace: 'return path === undefined || path !== "" ? undefined : findItem(path, fanOut);',
  },
  {
    name: "question-that-asks-nothing",
    file: "packages/kernel/src/registry/check-flow-targets.ts",
    find: "if (target === undefined || target.tool?.implementation === QUESTION_TOOL) return [];",
    replace: "if (target === undefined || target.tool?.implementation !== undefined) return [];",
  },
  {
    name: "unfit-signal-taken-from-its-sender",
    file: "packages/host/src/local/run-client.ts",
    find: "await checkAwaited({ run, projection }, given, await portsOf(projection, ports));",
    replace: "",
  },
  {
    name: "long-name-of-a-signal",
    file: "packages/kernel/src/definition/flow/check-awaited.ts",
    find: "signal.length > SIGNAL_NAME_LENGTH_MAX",
    replace: "signal.length > SIGNAL_NAME_LENGTH_MAX + 1",
  },
];

import type { Mutant } from "./mutant.ts";

/** Faults in what a call leaves behind. */
export const traceMutants: readonly Mutant[] = [
  {
    name: "event-order",
    file: "packages/kernel/src/resume/recorder.ts",
    find: "events.push(event);",
    replace: [
      'const at = event.type === "action.settled" ? events.length - 1 : events.length;',
      "events.splice(at, 0, event);",
    ].join("\n"),
  },
  {
    name: "two-terminal-events",
    file: "packages/kernel/src/call/run-call.ts",
    find: '  if (outcome.kind === "ok") {\n',
    replace: "  {\n",
  },
  {
    name: "duration-since-start",
    file: "packages/kernel/src/call/run-call.ts",
    find: "const producedMs = frame.lastMs();",
    replace: "const producedMs = startedMs;",
  },
  {
    name: "missing-child-call-id",
    file: "packages/protocol/src/trace/to-trace.ts",
    find: "{ childCallId: child, loopId: loop, stepIndex }",
    replace: "{ loopId: loop, stepIndex }",
  },
  {
    name: "missing-parent-call-id",
    file: "packages/protocol/src/trace/to-trace.ts",
    find: "{ parentCallId: event.parentCall }",
    replace: "{}",
  },
  {
    name: "implementation-for-tool-name",
    file: "packages/protocol/src/trace/to-trace.ts",
    find: "{ toolName: content.tool }",
    replace: "{ implementation: content.tool }",
  },
  {
    name: "mock-never-asked",
    file: "packages/protocol/src/loop/list-backends.ts",
    find: "({ id, ...(model",
    replace: '({ id: id === "mock" ? SCRIPTED : id, ...(model',
  },
  {
    name: "missing-token-count",
    file: "packages/protocol/src/trace/to-trace.ts",
    find: "const { durationMs, inputTokens = null, outputTokens = null } = content;",
    replace: "const { durationMs, inputTokens, outputTokens } = content;",
  },
  {
    name: "result-without-trace",
    file: "packages/kernel/src/flow/step-result.ts",
    find: "trace: toTrace(events) as unknown as JsonValue,",
    replace: "trace: [],",
  },
  {
    name: "child-outside-its-frame",
    file: "packages/kernel/src/flow/run-steps.ts",
    find: [
      "const outcome = await callChild(child.value);",
      '    if (outcome.kind === "paused") return outcome;',
      "    const status = outcome.kind;",
      "    await frame.catchUp(call);",
      '    frame.record({ type: "child.completed", content: { child: call, status } });',
    ].join("\n"),
    replace: [
      'frame.record({ type: "child.completed", content: { child: call, status: "ok" } });',
      "    const outcome = await callChild(child.value);",
      '    if (outcome.kind === "paused") return outcome;',
      "    const status = outcome.kind;",
    ].join("\n"),
  },
  {
    name: "prompt-length-of-template",
    file: "packages/kernel/src/context/build-request.ts",
    find: "promptLength: text.length",
    replace: "promptLength: prompt.template.length",
  },
  {
    name: "core-type-emitted",
    file: "packages/kernel/src/actions/tool-context.ts",
    find: 'typeof type === "string" && isVendorEventType(type)',
    replace: "true",
  },
  {
    name: "shared-call-ids",
    file: "packages/kernel/src/call/executor.ts",
    find: "const call = ids.create(path);",
    replace: 'const call = "one";',
  },
  {
    name: "listener-heard",
    file: "packages/kernel/src/resume/recorder.ts",
    find: "// A throwing sink does not change the call.",
    replace: 'throw new Error("the sink has thrown");',
  },
];

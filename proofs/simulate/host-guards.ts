/** Faults of a host around turns: in writers, messages, and the choice of a worker. */
import type { GuardMutant } from "./guard-mutant.ts";

const kernel = "packages/kernel/src";

export const hostGuards: readonly GuardMutant[] = [
  {
    name: "fence-open",
    file: "packages/ports/src/stores/memory-rows.ts",
    find: 'if (rows.epoch !== append.epoch) return { kind: "fenced", epoch: rows.epoch };',
    replace: "",
  },
  {
    name: "fence-unheard",
    file: `${kernel}/log/write-batch.ts`,
    find: 'if (answer.kind === "fenced") {',
    replace: "if (false) {",
  },
  {
    name: "receipt-forgotten",
    file: `${kernel}/log/appender.ts`,
    find: "batch.receipt = receipt;",
    replace: "",
  },
  {
    name: "reported-before-durable",
    file: "packages/kernel/src/turn/run-turn.ts",
    find: [
      "  await ports.appender.flush();",
      '  if (outcome.kind === "ok") return { kind: "closed", ...closed, output: outcome.value };',
    ].join("\n"),
    replace:
      '  if (outcome.kind === "ok") return { kind: "closed", ...closed, output: outcome.value };',
  },
  {
    name: "look-left-behind",
    file: "packages/kernel/src/turn/watch-for-cancel.ts",
    find: "if (waiting === 0) stop();\n      await looking;",
    replace: "if (waiting === 0) stop();",
    // A look must still be under way when its turn ends, which is rare.
    from: 1_901,
  },
  {
    name: "snapshot-believed",
    file: "packages/host/src/state/load-projection.ts",
    find: "if (snapshot !== undefined && snapshot.sequence > head.sequence)",
    replace: "if (false)",
  },
  {
    name: "handed-to-under-another-id",
    file: "packages/host/src/deliver/deliver.ts",
    find: 'return { run: child, key: "start"',
    replace: 'return { run: child.slice(0, -4) + "0000", key: "start"',
  },
  {
    name: "result-taken-twice",
    file: "packages/folds/src/projection/apply-to-turn.ts",
    find: "const claims = dropClaim(open.open, event.content.claim);",
    replace: "const claims = open.open;",
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
    find: "copyRedacted(await tool.run(input, context), OUTPUT_BYTES_MAX, redactor)",
    replace: "copyRedacted(await tool.run(input, context), OUTPUT_BYTES_MAX, noSecrets.redactor)",
  },
  {
    name: "signal-used-again",
    file: "packages/host/src/state/find-awaited.ts",
    find: "(run.awaited?.after ?? 0) + 1",
    replace: "1",
  },
  {
    name: "tick-while-one-waits",
    file: "packages/host/src/schedule/append-ticks.ts",
    find: "if (tick !== undefined && tick.sequence > after) return [];",
    replace: "",
    from: 401,
  },
  {
    name: "tick-forgotten",
    file: "packages/host/src/schedule/append-ticks.ts",
    find: 'Date.parse(tick?.at ?? startedAt ?? "")',
    replace: 'Date.parse(startedAt ?? "")',
  },
  {
    name: "value-as-deep-as-its-row",
    file: "packages/protocol/src/copy-json.ts",
    find: "VALUE_DEPTH_MAX = 64;",
    replace: "VALUE_DEPTH_MAX = 128;",
  },
  {
    name: "key-outlived",
    file: "packages/kernel/src/receipt/find-signer.ts",
    find: "if (signer.current === undefined)",
    replace: "if (true)",
  },
  {
    name: "changed-loop-goes-on",
    file: "packages/kernel/src/admission/find-loops.ts",
    find: "loop.digest !== digest || hasLost",
    replace: "hasLost",
  },
  {
    name: "missing-tool-goes-on",
    file: "packages/kernel/src/admission/find-loops.ts",
    find: 'return { cause: "tool-missing", what:',
    replace: 'if (name !== "") return undefined;\n  return { cause: "tool-missing", what:',
  },
];

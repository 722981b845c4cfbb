/** Executes a bound function: passes its inputs, and redacts its secrets from the output. */
import type { Secrets, ToolBinding } from "@turnseal/ports";
import type { Amounts, JsonObject, JsonValue, ToolAnswerFacts } from "@turnseal/protocol";
import type { Reconciliation, ToolAnswer } from "@turnseal/protocol/authoring";
import { listFiles, toBlobRef } from "@turnseal/protocol/files";
import { formatProblem } from "../definition/format-problem.ts";
import { OUTPUT_BYTES_MAX } from "../limits.ts";
import type { RecordedChanges, RunArtifacts } from "../log/run-artifacts.ts";
import type { RunFiles } from "../log/run-files.ts";
import type { Frame } from "../resume/frame.ts";
import type { ActGiven, Answer } from "../step/action.ts";
import type { LiveTurn } from "../step/live-turn.ts";
import { giveSecrets, hasSecrets, noSecrets, redactError } from "./give-secrets.ts";
import { copyRedacted } from "./redact.ts";
import { openToolArtifacts } from "./tool-artifacts.ts";
import { openToolContext } from "./tool-context.ts";
import { openToolFiles, type ToolFiles } from "./tool-files.ts";
import { openToolOutput, type ToolOutput } from "./tool-output.ts";
import { readAsking } from "./tool-question.ts";

export interface Execution {
  readonly frame: Frame;
  readonly given: ActGiven;
  readonly config: JsonObject;
  readonly secrets: Secrets;
  readonly spent: Amounts;
  /** The answer to the question of the attempt before. */
  readonly answered: ToolAnswer | undefined;
  /** The watchers of the tool's live output. */
  readonly live: LiveTurn | undefined;
  /** The files of the run, where there is one. */
  readonly files: RunFiles | undefined;
  /** The files outside that it manages. */
  readonly artifacts: RunArtifacts | undefined;
  /** Called with the collector of the tool's live output, before it runs. */
  onOutput(output: ToolOutput): void;
  /** Called with each file under its root that the tool read. */
  onRead(path: string, digest: string): void;
  /** Called with the function that records the tool's file changes, after any end. */
  onChanged(record: () => RecordedChanges | undefined): void;
}

/** Acts. The claim is durable by now, and only now are secrets read. */
export async function executeTool(
  tool: ToolBinding,
  input: JsonValue,
  execution: Execution,
): Promise<Answer> {
  const { frame, given, config, secrets, spent, answered, live, files, artifacts } = execution;
  const { values, redactor } = hasSecrets(tool) ? await giveSecrets(tool, secrets) : noSecrets;
  // Reading the secrets may have taken past the deadline: then the tool must not begin.
  given.signal.throwIfAborted();
  const writer = live?.open(given);
  const output = openToolOutput(redactor, given.signal, (text) =>
    writer?.write({ kind: "tool-output", part: 0 }, text),
  );
  execution.onOutput(output);
  const { key, epoch, signal, deadlineAt, onBegin } = given;
  const told = { key, epoch, signal, deadlineAt };
  const { made, file, readFile } = openToolFiles(files, redactor);
  const { artifacts: declared, effect } = tool;
  const outside = openToolArtifacts({
    root: declared && artifacts?.open(declared.root),
    isReadOnly: effect === "read",
    isRepeated: given.isRepeated ?? false,
    ...{ signal, redactor, onRead: execution.onRead },
  });
  const whole = {
    ...{ ...told, config, secrets: values, file, readFile, artifacts: outside.face },
    onToolOutputDelta: output.write,
    ...(answered === undefined ? {} : { answered }),
  };
  const { context, close } = openToolContext(frame, whole, redactor);
  const runOnce = async () => {
    try {
      return copyRedacted(await tool.run(input, context), OUTPUT_BYTES_MAX, redactor);
    } finally {
      // Also after a failure: its changes are there. If this fails, their state is unknown.
      const record = await outside.finish();
      if (record !== undefined) execution.onChanged(record);
    }
  };
  try {
    onBegin();
    const copied = await runOnce();
    if (copied.kind === "copied") {
      const facts = { action: "tool", ...nameMade(copied.value, made) } as const;
      return { result: copied.value, facts, spent };
    }
    const refused = formatProblem(copied.reason);
    return { result: null, facts: { action: "tool", refused }, spent };
  } catch (error) {
    const asking = readAsking(error, redactor);
    if (asking !== undefined) throw asking;
    throw hasSecrets(tool) ? redactError(error, redactor) : error;
  } finally {
    close();
    outside.close();
    output.close();
    writer?.close();
  }
}

/** Lists the files of the tool that its output names. */
function nameMade(result: JsonValue, made: ToolFiles["made"]): Pick<ToolAnswerFacts, "files"> {
  if (made.size === 0) return {};
  const files = listFiles(result).filter(({ file }) => made.has(file));
  return files.length === 0 ? {} : { files: files.map(toBlobRef) };
}

/** Asks a tool what became of an earlier attempt, and redacts its answer. */
export async function reconcileTool(
  tool: ToolBinding & Required<Pick<ToolBinding, "reconcile">>,
  asked: Parameters<typeof tool.reconcile>,
  secrets: Secrets,
): Promise<Reconciliation> {
  const { redactor } = hasSecrets(tool) ? await giveSecrets(tool, secrets) : noSecrets;
  const answer = await tool.reconcile(...asked);
  if (answer?.kind !== "happened") return answer;
  const copied = copyRedacted(answer.result, OUTPUT_BYTES_MAX, redactor);
  return copied.kind === "copied" ? { kind: "happened", result: copied.value } : { kind: "unsure" };
}

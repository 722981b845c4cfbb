/** What is shown: a run that asks, a run that answers, and what other commands say of them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Stands below a screen that is whole. */
export const SHOWN = "[shown]";

const greet = {
  ...{ id: "greet", name: "greet", version: "1.0.0", kind: "prompt" },
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  outputSchema: true,
  prompt: { template: "Greet {{text}}", variables: ["text"] },
};

const text = "everybody who waits at the harbour, in the order in which their ships have come in";

export function writeLoops(root: string): void {
  mkdirSync(join(root, "loops"));
  writeFileSync(join(root, "loops", "greet.json"), JSON.stringify(greet));
}

/** The commands, in order: a later one shows what an earlier one did. */
export function listCommands(root: string): readonly (readonly string[])[] {
  const refund = ["run", "refund", "--from", "examples/refund/loops.ts"];
  const rules = ["--policy", "examples/refund/refunds.toml"];
  const grant = ["--allow", "local.lookup,local.pay-once", "--budget", "modelCalls=8,toolCalls=4"];
  return [
    [...refund, "--input", '{"order":"A-17"}', ...grant, ...rules],
    ["inbox"],
    ["run", "greet", "--from", join(root, "loops"), "--input", JSON.stringify({ text })],
    ["runs"],
    ["transcript", "last"],
    ["costs"],
    ["explain", "last"],
  ];
}

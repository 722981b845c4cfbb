import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Grant, Loop, RunBounds } from "turnseal";
import {
  type AdvanceOptions,
  createLocalHost,
  keyIdOf,
  memoryStores,
  type StartOptions,
} from "turnseal/host";
import { manualClock, seededIds } from "turnseal/testing";
import { boundedTurn, copyNote, gatedTurn, readNote, reviewPlan, writeNote } from "./loops.ts";

// A clock that stands still, ids from a seed and a published key: the same receipts every time.
const seed = Buffer.from(`302e020100300506032b657004220420${"42".repeat(32)}`, "hex");
const privateKey = createPrivateKey({ key: seed, format: "der", type: "pkcs8" });
const { x: publicKey = "" } = createPublicKey(privateKey).export({ format: "jwk" });
const clock = manualClock();
const host = createLocalHost({
  loops: [boundedTurn, copyNote, gatedTurn, readNote, reviewPlan, writeNote],
  stores: memoryStores(clock),
  clock,
  ids: seededIds("loop-orchestration"),
  signer: {
    keyId: keyIdOf(publicKey),
    issuer: "development",
    sign: async (data) => new Uint8Array(sign(null, data, privateKey)),
  },
});

const grantFor = (...tools: string[]): Grant => ({
  grantor: "operator",
  tools,
  budget: { turns: 3, toolCalls: 6 },
});

const request = {
  loopId: "loop-demo-success",
  objective: "find the open question",
  turnsClosed: 0,
  turnsMax: 3,
  previousSummary: "",
  requestedTool: "fs.read",
  allowedTools: ["fs.read"],
  needsReview: false,
};

/** The host stops when the turn says that there is no next one, and after three turns anyway. */
const bounds: Partial<RunBounds> = {
  turnsMax: 3,
  goal: { path: "$.output.nextTurnAllowed", equals: false },
  nextInput: {
    ...Object.fromEntries(Object.keys(request).map((name) => [name, `$.input.${name}`])),
    turnsClosed: "$.turn",
    previousSummary: "$.output.summary",
  },
};

/** Says of each turn what was decided, under which receipt, and whether another follows. */
const report: NonNullable<AdvanceOptions["onProgress"]> = (progress) => {
  if (progress.kind === "stopped") return console.log(`  stopped   ${progress.reason}`);
  const { turn, result } = progress;
  if (result.kind !== "closed") return;
  const said = new Map(Object.entries(Object(result.output)));
  const decision = said.get("decision") ?? result.outcome;
  const reason = said.get("reasonCode") ?? result.reason ?? "none";
  const isNext = said.get("nextTurnAllowed") === true;
  console.log(`  turn ${turn}    receipt ${result.receipt}`);
  console.log(`            decision ${decision}, ${reason}`);
  const why = said.get("nextTurnReason") ?? "the kernel ended the turn";
  console.log(`            next ${isNext ? "yes" : "no"}: ${why}`);
};

async function start<Input>(
  title: string,
  loop: Loop<Input, unknown>,
  input: Input,
  options: StartOptions,
): Promise<string> {
  const run = await host.start(loop, input, { key: title, ...options });
  console.log(`${title}\n  run       ${run}`);
  await host.drive(run, { onProgress: report });
  return run;
}

const only = process.argv[2];
if (only === undefined || only === "success")
  await start("success", boundedTurn, request, { grant: grantFor("loop.decide"), bounds });

// A refusal is what the turn found: data, sealed like any other answer.
const writing = { ...request, loopId: "loop-demo-refusal", requestedTool: "fs.write" };
if (only === undefined || only === "refusal")
  await start("refusal", boundedTurn, writing, { grant: grantFor("loop.decide"), bounds });

// The kernel denies the write, although the loop reached its goal: the file stays unwritten.
if (only === undefined || only === "denial")
  await start("denial", copyNote, { from: "plan.md", to: "b.md" }, { grant: grantFor("fs.read") });

if (only === undefined || only === "gate") {
  const guide = readFileSync(new URL("harness/guide.md", import.meta.url), "utf8");
  const about = { loopId: "loop-demo-gate", objective: "review the plan", turnsMax: 1 };
  const gated = { ...request, ...about };
  const run = await start("gate", gatedTurn, gated, {
    grant: grantFor("turnseal.question", "loop.decide"),
    guidance: [{ ref: "guide.md", text: guide }],
  });
  const [asked] = await host.requests(run);
  const [document] = (await host.show(run))?.spec?.guidance ?? [];
  console.log(`  waits     for an ${asked?.name} with the role ${asked?.role}`);
  console.log(`            asked ${JSON.stringify(asked?.request)}`);
  console.log(`            to read ${document?.ref}, ${document?.digest}`);
  if (only === "gate") process.exitCode = 2;
  else {
    const by = { id: "agent-7", roles: ["reviewer"] };
    await host.answer(run, asked?.id ?? "", { by, answer: { verdict: "go", remark: "fine" } });
    console.log("  answered  by agent-7");
    await host.drive(run, { onProgress: report });
  }
}

// The agent in one file, as the guide prints it: short, formatted, and run against a server with
// the API of its provider.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readProgram } from "./release/read-program.ts";
import { repositoryRoot } from "./tidy/tree.ts";

const guide = readFileSync(join(repositoryRoot, "docs/guide/one-file-agent.md"), "utf8");
const [, small = "", large = ""] = guide
  .split("```ts needs-key\n")
  .map((part) => `\`\`\`ts\n${part}`);
const program = readProgram(large);
/** What the same agent takes with the AI SDK, without persistence and receipts. */
const LINES_MAX = 48;

test("the agent, formatted to 100 columns, takes at most 48 lines", () => {
  const biome = ["--no", "--", "biome", "format", "--stdin-file-path=refund.ts"];
  const options = { cwd: repositoryRoot, input: program, encoding: "utf8" } as const;
  expect(spawnSync("npx", biome, options).stdout).toBe(program);
  const lines = program.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(LINES_MAX);
});

let server: Server;
// Within the repository, where its packages are found.
mkdirSync(join(repositoryRoot, ".turnseal"), { recursive: true });
const folder = mkdtempSync(join(repositoryRoot, ".turnseal/one-file-agent-"));
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer(JSON.parse(body).input)));
    });
  });
  await new Promise<void>((resume) => {
    server.listen(0, "127.0.0.1", resume);
  });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

type Shown = { readonly type?: string; readonly output?: unknown };

/** Looks up, pays, tells: by how many results it was shown. */
function answer(input: readonly Shown[]): object {
  const results = input.filter(({ type }) => type === "function_call_output").length;
  const call = (name: string, given: object) => ({
    ...{ type: "function_call", id: `fc_${results}`, call_id: `call_${results}`, name },
    ...{ arguments: JSON.stringify(given), status: "completed" },
  });
  const say = (text: string) => ({
    ...{ type: "message", id: "msg_1", role: "assistant", status: "completed" },
    content: [{ type: "output_text", text, annotations: [] }],
  });
  const weather = input.findLast(({ type }) => type === "function_call_output")?.output;
  const replies = JSON.stringify(input).includes("What do I wear")
    ? [call("local__weather", { city: "Oslo" }), say(`A coat: ${JSON.stringify(weather)}`)]
    : [
        call("local__lookup", { order: "A-17" }),
        call("local__pay", { order: "A-17", amountCents: 1250 }),
        say("Order A-17 is refunded."),
      ];
  return {
    ...{ id: "resp_1", object: "response", created_at: 1, status: "completed", model: "small" },
    output: [replies[results]],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  };
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function runNode(...args: string[]): Promise<Ran> {
  const { port } = server.address() as AddressInfo;
  const env = {
    PATH: process.env["PATH"],
    OPENAI_API_KEY: "not-a-key",
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  };
  return new Promise((resume) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, out, err) => {
      resume({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
}

test("the agent with one tool tells what the tool said", { timeout: 60_000 }, async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "advise.ts"), readProgram(small));
  const { code, out } = await runNode("--conditions=turnseal-source", "advise.ts");
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^A coat: .*rains in Oslo/),
  });
});

test("it asks for the approval, pays, answers, and leaves a receipt", {
  timeout: 60_000,
}, async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "refund.ts"), program);
  const ran = await runNode("--conditions=turnseal-source", "refund.ts");
  expect(ran).toEqual({
    code: 0,
    err: "",
    out: 'local.pay {"amountCents":1250,"order":"A-17"}\ncompleted Order A-17 is refunded.\n',
  });
  const command = join(repositoryRoot, "apps/cli/bin/turnseal.js");
  const { code, out } = await runNode(command, "verify", "last");
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^✓ valid .*1 receipt/),
  });
  expect(out).toContain("local.pay");
  expect(out).toContain("approved by ada");
});

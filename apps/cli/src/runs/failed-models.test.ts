// A provider that does not answer, over real HTTP: what `run`, `show` and `explain` say of it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT_CODES } from "../exit-codes.ts";
import { runProgram } from "../program.ts";
import { readWritten } from "../read-written.test.data.ts";
import { createScreen } from "../terminal/screen.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-failed-"));
const loops = join(root, "loops.json");
writeFileSync(
  loops,
  JSON.stringify({
    ...{ id: "ask", version: "1.0.0", name: "ask", kind: "prompt" },
    ...{ inputSchema: true, outputSchema: true },
    backend: { id: "openai-compatible", model: "small" },
    prompt: { template: "Say hello", variables: [] },
  }),
);

/** Answers with the status that its path names, or with words that are no answer. */
const server = createServer(({ url = "" }, response) => {
  const [, kind = ""] = url.split("/");
  if (kind === "garbage") return response.end("<html>hello</html>");
  response.statusCode = Number(kind);
  return response.end(JSON.stringify({ error: { message: "no" } }));
});
let port = 0;
/** Nobody listens there any more. */
let awayPort = 0;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  ({ port } = server.address() as AddressInfo);
  const gone = createServer();
  await new Promise<void>((listening) => gone.listen(0, "127.0.0.1", listening));
  ({ port: awayPort } = gone.address() as AddressInfo);
  await new Promise((closed) => gone.close(closed));
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

async function turnseal(url: string, store: string, args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram([...args, "--store", join(root, store)], {
    environment: { TURNSEAL_OPENAI_COMPATIBLE_URL: url },
    ...{ stdin: Readable.from([]), stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return { code, out: readWritten(stdout), err: readWritten(stderr) };
}

test.concurrent.each([
  ["401", "MODEL_UNAUTHORIZED", "authentication failed", "set the provider's key"],
  ["403", "MODEL_UNAUTHORIZED", "authentication failed", "set the provider's key"],
  ["404", "MODEL_NOT_FOUND", "does not have this model", "correct backend.model"],
  ["400", "MODEL_REFUSED", "does not accept the request", "change the prompt"],
  ["429", "MODEL_RATE_LIMITED", "limits the rate", "raise the quota"],
  ["500", "MODEL_FAILED", "the provider failed", "check the provider's status"],
  ["garbage", "MODEL_ANSWER_INVALID", "is not an answer", "that of an API"],
  ["away", "MODEL_UNREACHABLE", "could not be reached", "check the URL"],
])(
  "%s is %s: its class, what it means and what to do",
  { timeout: 60_000 },
  async (kind, failure, words, next) => {
    const url = `http://127.0.0.1:${kind === "away" ? awayPort : port}/${kind}/v1`;
    const ran = await turnseal(url, kind, ["run", "ask", "--from", loops]);
    expect(ran.code).toBe(EXIT_CODES.failed);
    for (const args of [
      ["show", "last"],
      ["explain", "last"],
    ]) {
      const { out } = await turnseal(url, kind, args);
      expect(out).toContain(`openai-compatible/small: ${failure}, `);
      expect(out).toContain(words);
      expect(out).toContain(next);
    }
    expect(ran.out).toContain(`cause     openai-compatible/small: ${failure}, `);
    expect(ran.out).toContain(words);
    expect(ran.out).toContain(next);
  },
);

test("a run whose model answered has no cause", async () => {
  const talker = new URL("../__fixtures__/talker.mjs", import.meta.url).pathname;
  const args = ["run", "talk", "--from", talker, "--input", '{"text":"hello"}'];
  const { code, out } = await turnseal("", "well", args);
  expect(code).toBe(EXIT_CODES.done);
  expect(out).not.toContain("cause");
});

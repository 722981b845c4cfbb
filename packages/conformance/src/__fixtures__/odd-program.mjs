// A program that speaks the conformance protocol, and answers wrongly in the way that its argument names.
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

const [way = "proper", detail = ""] = process.argv.slice(2);
const hello = { name: "odd", version: "1.0.0", protocol: 1, profiles: ["lsem"] };

const answers = {
  hello: () => ({
    ...hello,
    ...(way === "other-protocol" ? { protocol: 2 } : {}),
    ...(way === "other-profile" ? { profiles: ["none"] } : {}),
  }),
  reset: () => ({}),
  load: ({ documents }) => ({
    documents: documents.map(() => ({ kind: "accepted", id: "a", version: "1.0.0" })),
  }),
  list: () => ({ loops: [] }),
  get: () => ({ document: null }),
  script: () => ({}),
  call: ({ calls }) => ({
    calls: calls.map(({ input }) => ({
      result: { status: "error", error: { code: "NONE", message: "none" }, trace: [] },
      inputAfter: input,
    })),
    backendRequests: [],
    toolCalls: [],
  }),
};

const wrongWays = {
  silent: () => undefined,
  dies: () => {
    process.stderr.write("out of memory\n");
    process.exit(7);
  },
  nonsense: () => "hello, I am not JSON",
  "no-object": () => "[1, 2]",
  "wrong-id": ({ id }) => JSON.stringify({ id: id + 1, result: {} }),
  refuses: ({ id }) => JSON.stringify({ id, error: { message: "not today" } }),
  "empty-answer": ({ id }) => JSON.stringify({ id, result: {} }),
  long: ({ id }) => padLine({ id, result: {} }, Number(detail)),
};

function padLine(answer, length) {
  const line = JSON.stringify({ ...answer, padding: "" });
  return JSON.stringify({ ...answer, padding: "x".repeat(length - line.length) });
}

process.on("SIGTERM", () => {});
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const isGreeting = request.method === "hello" && !way.endsWith("!");
  const wrong = isGreeting ? undefined : wrongWays[way.replace("!", "")];
  const result = () =>
    JSON.stringify({ id: request.id, result: answers[request.method](request.params) });
  if (way === "slow") await setTimeout(Number(detail));
  const answer = (wrong ?? result)(request);
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
}
// A program that does not end when its input does.
if (way === "stays") setInterval(() => {}, 1_000);

// Commands in this process, with everything real but the streams. main.test.ts has the tests of a
// process.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { FILE_RULES } from "@turnseal/documents";
import { createScreen } from "@turnseal/terminal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "./program.ts";
import { readWritten } from "./read-written.test.data.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-program-"));
  write("loops/greet.json", greet);
  write("loops/echo.json", echo);
  write("loops/both.json", both);
});
afterAll(() => rmSync(root, { recursive: true }));

const echo = {
  id: "echo",
  name: "Echo",
  version: "1.0.0",
  inputSchema: true,
  outputSchema: true,
  kind: "tool",
  tool: { implementation: "builtin:echo" },
};
const greet = {
  ...echo,
  id: "greet",
  name: "Greeting",
  kind: "prompt",
  tool: undefined,
  inputSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  },
  prompt: { template: "Greet {{name}}", variables: ["name"] },
};
const both = {
  ...echo,
  id: "both",
  kind: "composite",
  tool: undefined,
  composite: {
    steps: [
      { loopId: "greet", inputMapping: { name: "$.input.name" }, outputBinding: "hello" },
      { loopId: "echo", inputMapping: { said: "$.hello.output.text" } },
    ],
  },
};

function write(name: string, content: string | object): string {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return file;
}

function exporting(documents: Record<string, object>): string {
  return Object.entries(documents)
    .map(
      ([name, document]) => `export const ${name} = { definition: ${JSON.stringify(document)} };`,
    )
    .join("\n");
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(args: string[], given: { stdin?: string; environment?: object } = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const environment = { ...given.environment };
  const code = await runProgram(args, {
    environment,
    stdin: Readable.from([Buffer.from(given.stdin ?? "")]),
    stdout,
    stderr,
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  const ran: Ran = { code, out: readWritten(stdout), err: readWritten(stderr) };
  expect(ran.out + ran.err).not.toContain("\u001b");
  return ran;
}

const loops = (): string => join(root, "loops");

describe("check", () => {
  test("sound loops are listed with their warnings, and the exit code is 0", async () => {
    const { code, out, err } = await run(["check", loops()]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /greet\.json:1:1 {2}backend-scripted\n {2}no backend .*\n {2}mend: name one/,
    );
    expect(out).toMatch(/^both {3}1\.0\.0 {2}composite {2}sha256:[0-9a-f]{12} {2}Echo$/m);
    expect(out).toMatch(/^ok, 1 warning in 3 files$/m);
  });

  test("a problem has file, line, column, rule, message and how to mend it", async () => {
    const file = write("bad.json", { ...greet, prompt: { template: "{{x}}", variables: [] } });
    const { code, out } = await run(["check", file]);
    expect(code).toBe(1);
    expect(out).toBe(
      `${file}:19:5  template-variable\n  \`{{x}}\` is not declared\n` +
        `  mend: name a field of the input, or add "x" to prompt.variables\n\n1 problem in 1 file\n`,
    );
  });

  test("--json is one report", async () => {
    const file = write("unknown.json", { ...echo, colour: "\u001b[31m" });
    const { code, out } = await run(["check", "--json", file, loops()]);
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ status: "refused", files: 4, warnings: [{ line: 1 }] });
    expect(report.loops).toHaveLength(3);
    expect(report.problems).toEqual([
      expect.objectContaining({
        rule: "field-unknown",
        path: "/colour",
        file,
        line: 11,
        column: 3,
      }),
    ]);
  });

  test("--lenient keeps an unknown field and warns", async () => {
    const file = write("lenient.json", { ...echo, id: "lenient", colour: "red" });
    expect((await run(["check", file])).code).toBe(1);
    const { code, out } = await run(["check", "--lenient", file]);
    expect(code).toBe(0);
    expect(out).toMatch(/:11:3 {2}field-unknown/);
  });

  test("a reference that leads nowhere is found between documents", async () => {
    const { code, out } = await run(["check", join(root, "loops/both.json")]);
    expect(code).toBe(1);
    expect(out).toMatch(/both\.json:11:9 {2}reference-unknown\n {2}greet is not registered/);
  });

  test("a problem in a module names the export", async () => {
    const file = write("bad.mjs", exporting({ odd: { ...echo, version: "x" } }));
    const { out } = await run(["check", file]);
    expect(out).toMatch(/bad\.mjs export odd at \/version {2}version-semver/);
  });
});

describe("call", () => {
  test("shows the tree on one stream and the output on the other", async () => {
    const input = ["--input", '{"name": "Ann"}'];
    const { code, out, err } = await run(["call", "both", "--from", loops(), ...input]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ said: "scripted answer to: Greet Ann" });
    expect(err.replaceAll(/\d+ (ms|tokens in|out)/g, "N $1")).toBe(
      `note: the scripted model answers, no provider is asked: greet (no backend named)
▸ both 1.0.0
  ▸ greet 1.0.0
    ✓ model scripted N tokens in, N out  N ms
  ✓ greet 1.0.0  N ms
  ▸ echo 1.0.0
    ✓ tool builtin:echo  N ms
  ✓ echo 1.0.0  N ms
✓ both 1.0.0  N ms
`,
    );
  });

  test("says that mock is the scripted model", async () => {
    const file = write("mock.json", { ...greet, id: "mocked", backend: { id: "mock" } });
    const { err } = await run(["call", file, "--input", '{"name": "Ann"}']);
    expect(err).toContain("no provider is asked: mocked (backend mock)");
  });

  test("--json is one result and nothing else", async () => {
    const args = ["call", "greet", "--from", loops(), "--json"];
    const { code, out, err } = await run([...args, "--input", '{"name": "Ann"}']);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ status: "ok", loopId: "greet", loopVersion: "1.0.0" });
    expect(JSON.parse(out).trace).toHaveLength(6);
    const failed = await run(args);
    expect(failed).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(failed.out)).toMatchObject({
      status: "error",
      error: { code: "INPUT_VALIDATION_FAILED" },
    });
  });

  test("--trace prints the events of the trace, then the output", async () => {
    const args = ["call", "echo", "--from", loops(), "--trace", "--input", "[1]"];
    const { out, err } = await run(args);
    const types = out.split("\n").map((text) => text.split(" ")[2]);
    expect(types.slice(0, 6)).toEqual([
      "call.started",
      "call.input.validated",
      "call.tool.invoked",
      "call.tool.returned",
      "call.output.validated",
      "call.completed",
    ]);
    expect(out).toMatch(/\n\[\n {2}1\n\]\n$/);
    expect(err).toBe("");
  });

  test("a failed call names its code, the problems and the next command", async () => {
    const { code, out, err } = await run(["call", "greet", "--from", loops()]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/✗ greet 1\.0\.0 INPUT_VALIDATION_FAILED \/name/);
    expect(err).toMatch(/^INPUT_VALIDATION_FAILED {2}the input/m);
    expect(err).toMatch(/^ {2}next: turnseal loops greet/m);
  });

  test("an unknown id is LOOP_NOT_FOUND", async () => {
    const { code, err } = await run(["call", "nobody", "--from", loops()]);
    expect(code).toBe(1);
    expect(err).toMatch(/^LOOP_NOT_FOUND {2}nobody is not registered\n/m);
    expect(err).toContain(`  next: turnseal loops --from ${loops()}  (lists what is there)`);
  });

  test("--version calls that version, and none is the highest", async () => {
    const old = write("old/echo.json", { ...echo, version: "0.9.0", name: "Old" });
    const args = ["call", "echo", "--from", loops(), old, "--json"];
    expect(JSON.parse((await run(args)).out).loopVersion).toBe("1.0.0");
    const pinned = await run([...args, "--version", "0.9.0"]);
    expect(JSON.parse(pinned.out).loopVersion).toBe("0.9.0");
    expect((await run([...args, "--version", "3.0.0"])).code).toBe(1);
  });

  test("the input may come from a file or from standard input", async () => {
    const file = write("input.json", '{"from": "file"}');
    const args = ["call", "echo", "--from", loops(), "--input-file"];
    expect(JSON.parse((await run([...args, file])).out)).toEqual({ from: "file" });
    const piped = await run([...args, "-"], { stdin: '{"from": "stdin"}' });
    expect(JSON.parse(piped.out)).toEqual({ from: "stdin" });
  });

  test("of several loops in a module the one that no other calls is meant", async () => {
    const file = write("several.mjs", exporting({ both, greet }));
    const from = ["--from", join(root, "loops/echo.json")];
    const { out } = await run(["call", file, ...from, "--json", "--input", '{"name": "A"}']);
    expect(JSON.parse(out).loopId).toBe("both");
  });

  test("a module with two equal candidates needs an id", async () => {
    const file = write("equal.mjs", exporting({ one: echo, two: { ...echo, id: "two" } }));
    const { code, err } = await run(["call", file]);
    expect(code).toBe(64);
    expect(err).toContain("holds several loops: echo, two");
    expect(err).toContain(`next: name one of them, with --from ${file}`);
  });

  test("a document with a problem is refused before anything runs", async () => {
    const file = write("refused.json", { ...echo, id: "" });
    const { code, err } = await run(["call", file]);
    expect(code).toBe(1);
    expect(err).toMatch(/refused\.json:2:3 {2}field-empty/);
    const asJson = await run(["call", file, "--json"]);
    expect(asJson).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(asJson.out)).toMatchObject({ status: "refused", problems: [{ line: 2 }] });
  });

  test("backend-unbound: a backend without its variable names the variable", async () => {
    const file = write("real.json", { ...greet, backend: { id: "openai", model: "any" } });
    const { code, err } = await run(["call", file, "--input", '{"name": "A"}']);
    expect(code).toBe(1);
    expect(err).toMatch(/real\.json:\d+:5 {2}backend-unbound/);
    expect(err).toContain("set OPENAI_API_KEY in the environment");
  });

  test("backend-unbound: an unknown backend names those that are known", async () => {
    const file = write("odd.json", { ...greet, backend: { id: "__proto__" } });
    const { code, err } = await run(["call", file], { environment: { OPENAI_API_KEY: "x" } });
    expect(code).toBe(1);
    expect(err).toContain("name one of openai, anthropic");
  });

  test("backend-unbound: every route of a prompt is set up, also the last", async () => {
    const routes = [{ id: "mock" }, { id: "openai" }];
    const file = write("routed.json", { ...greet, backend: undefined, policy: { routes } });
    const { code, err } = await run(["call", file, "--input", '{"name": "A"}']);
    expect(code).toBe(1);
    expect(err).toContain("greet asks the backend openai, which is not set up");
    expect(err).not.toContain("scripted model answers");
  });

  test("a route to the mock is answered by the scripted model, and that is said", async () => {
    const file = write("routed-mock.json", { ...greet, policy: { routes: [{ id: "mock" }] } });
    const { code, err } = await run(["call", file, "--input", '{"name": "A"}']);
    expect(code).toBe(0);
    expect(err).toContain("no provider is asked: greet (backend mock)");
  });

  test("tool-unbound: a tool that nobody brought is found before anything runs", async () => {
    const file = write("unbound.json", { ...echo, tool: { implementation: "local.nobody" } });
    const { code, err } = await run(["call", file]);
    expect(code).toBe(1);
    expect(err).toMatch(/unbound\.json:9:5 {2}tool-unbound\n {2}no function .* local\.nobody/);
  });

  test("--timeout cancels a call that is slower", async () => {
    const definition = JSON.stringify({ ...echo, tool: { implementation: "local.slow" } });
    const code = `export const slow = { definition: ${definition}, declared: { effect: "read" },
      run: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", reject)) };`;
    const ran = await run(["call", write("slow.mjs", code), "--timeout", "50"]);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/^note: stopped by --timeout$/m);
    expect(ran.err).toMatch(/^CANCELLED /m);
  });
});

describe("loops", () => {
  test("lists id, version, kind, digest and name, sorted", async () => {
    const { code, out } = await run(["loops", "--from", loops()]);
    expect(code).toBe(0);
    expect(out.split("\n").map((text) => text.split(" ")[0])).toEqual([
      "both",
      "echo",
      "greet",
      "",
    ]);
    const list = JSON.parse((await run(["loops", "--from", loops(), "--json"])).out);
    expect(list[2]).toEqual({
      ...{ id: "greet", version: "1.0.0", kind: "prompt", name: "Greeting" },
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  });

  test("versions of one loop are sorted as versions", async () => {
    for (const version of ["1.10.0", "1.9.0", "1.2.0"]) {
      write(`versions/${version}.json`, { ...echo, version });
    }
    const { out } = await run(["loops", "--from", join(root, "versions")]);
    expect(out.match(/1\.\d+\.0/g)).toEqual(["1.2.0", "1.9.0", "1.10.0"]);
  });

  test("shows one loop", async () => {
    const { out } = await run(["loops", "both", "--from", loops()]);
    expect(out).toContain("  1. greet as hello\n");
    const detail = JSON.parse((await run(["loops", "both", "--from", loops(), "--json"])).out);
    expect(detail.definition.composite).toEqual(both.composite);
  });

  test("an unknown id is a failure", async () => {
    const { code, err } = await run(["loops", "constructor", "--from", loops()]);
    expect(code).toBe(1);
    expect(err).toContain("LOOP_NOT_FOUND  there is no loop constructor");
  });
});

test("the help has every command in a group, by what people do", async () => {
  const { out } = await run(["--help"]);
  const headings = [...out.matchAll(/^(\w+):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([...["Options", "Author", "Run", "Decide", "Undo", "Prove", "Operate"]]);
});

test.each([["run"], ["worker"], ["deploy", "register"]])(
  "the help of %s fits into 80 columns",
  async (...command) => {
    const { code, out } = await run([...command, "--help"]);
    expect(code).toBe(0);
    const lines = out.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeGreaterThan(8);
  },
);

describe("wrong usage ends with 64, a message and what to try", () => {
  test.each([
    [["chek"], "Did you mean check?", "turnseal --help"],
    [["--nonsense"], "unknown option '--nonsense'", "turnseal --help"],
    [["check", "--nonsense", "x.json"], "unknown option", "turnseal check --help"],
    [["check", "missing.json"], "missing.json does not exist", "turnseal check"],
    [["check", "/dev/null"], "is not a loop document", "turnseal check"],
    [["call"], "missing required argument 'loop'", "turnseal call --help"],
    [["call", "x", "y"], "too many arguments", "turnseal call --help"],
    [["call", "x", "--from"], "argument missing", "turnseal call --help"],
    [
      ["call", "x", "--input", "{nope"],
      "--input is not valid JSON: unexpected token, at line 1, column 2",
      "--input '{",
    ],
    [["call", "x", "--input", '{"a":1,"a":2}'], "appears twice", "--input '{"],
    [["call", "x", "--input-file", "none"], "none: the file does not exist", "--input"],
    [["call", "x", "--input", "1", "--input-file", "y"], "exclude each other", "--help"],
    [["call", "x", "--timeout", "soon"], "Write milliseconds", "turnseal call --help"],
    [["call", "x", "--timeout", "0"], "Write milliseconds", "turnseal call --help"],
    [["call", "x", "--timeout", "2147483648"], "Write milliseconds", "--help"],
    [["call", "./missing"], "./missing does not exist", "the same command with --from"],
    [["loops", "--from", "missing"], "missing does not exist", "turnseal loops --from"],
    [["no\u001b[2Jpe"], "unknown command 'no\\u001b[2Jpe'", "turnseal --help"],
  ])("turnseal %j", async (args, message, next) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(next);
  });
});

test.each([
  ["large", JSON.stringify({ ...echo, metadata: { x: "x".repeat(600_000) } }), "document-size"],
  ["twice", '{"id": "a", "id": "b"}', "json"],
  ["proto", JSON.stringify(echo).replace("{", '{"__proto__": {"id": "x"}, '), ""],
  ["constructor", JSON.stringify({ ...echo, kind: "constructor" }), "kind-unknown"],
  ["binary", "\u0000\u0001\u0002", "json"],
  ["list", "[]", "document-object"],
])("a hostile document is refused with a place and a rule: %s", async (name, text, rule) => {
  const file = write(`hostile/${name}.json`, text);
  const { code, out, err } = await run(["check", file]);
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out).toMatch(new RegExp(`^${file}:1:\\d+ {2}${rule}`));
  expect((await run(["call", file])).code).toBe(1);
});

test("the rules of files are these", () => {
  expect(FILE_RULES).toEqual([
    ...["file-unreadable", "toml", "module-failed", "module-empty"],
    ...["backend-unbound", "tool-unbound", "price-missing", "version-development"],
    ...["agent-grant", "tool-ungranted", "handoff-uncapped", "path-nowhere"],
    ...["mcp-server", "mcp-unpinned"],
  ]);
});

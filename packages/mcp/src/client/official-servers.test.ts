/**
 * Servers of other people, as real processes in the sandbox: every tool that they have is called.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { McpProgram } from "./config/server-config.ts";
import { createFolder, openRuns, openTools, toolsOf } from "./fixture/open-server.test.data.ts";

const scriptOf = (name: string) =>
  `./node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;

/** A folder that the account of the sandbox may enter, and own. */
function createWorkspace(): string {
  const folder = createFolder();
  chmodSync(folder, 0o755);
  const inner = join(folder, "workspace");
  mkdirSync(inner);
  if (process.getuid?.() === 0) chownSync(inner, 65_534, 65_534);
  return inner;
}

const program = (name: string, more: Partial<McpProgram> & { args?: string[] } = {}) => {
  const { args = [], ...rest } = more;
  return {
    ...{ command: ["node", scriptOf(name), ...args], readable: ["./node_modules"] },
    ...rest,
  } satisfies McpProgram;
};

test("every tool of the server `filesystem` works, in a writable workspace", async () => {
  const folder = createWorkspace();
  writeFileSync(join(folder, "a.txt"), "one\n");
  if (process.getuid?.() === 0) chownSync(join(folder, "a.txt"), 65_534, 65_534);
  const config = program("filesystem", {
    ...{ args: ["/workspace"], folder, profile: "workspace-write", trust: "annotations" },
  });
  const { tools, pin } = await openTools(config);
  expect(pin.refused).toEqual([]);
  const runs = openRuns(tools);
  const at = (path: string) => `/workspace/${path}`;
  const calls: [string, object][] = [
    ["list_allowed_directories", {}],
    ["create_directory", { path: at("notes") }],
    ["write_file", { path: at("notes/b.txt"), content: "two\n" }],
    ["edit_file", { path: at("a.txt"), edits: [{ oldText: "one", newText: "three" }] }],
    ["move_file", { source: at("notes/b.txt"), destination: at("notes/c.txt") }],
    ["read_file", { path: at("notes/c.txt") }],
    ["read_text_file", { path: at("a.txt") }],
    ["read_media_file", { path: at("a.txt") }],
    ["read_multiple_files", { paths: [at("a.txt"), at("notes/c.txt")] }],
    ["list_directory", { path: at("") }],
    ["list_directory_with_sizes", { path: at("") }],
    ["directory_tree", { path: at("") }],
    ["search_files", { path: at(""), pattern: "**/*.txt" }],
    ["get_file_info", { path: at("a.txt") }],
  ];
  expect(calls.map(([name]) => name).sort()).toEqual([...tools.tools.keys()].sort());
  for (const [name, input] of calls) {
    const outcome = await runs.call(name, input);
    expect([name, outcome.status, outcome.words]).toEqual([name, "completed", ""]);
    expect(await runs.findings(outcome.run)).toEqual([]);
  }
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("three\n");
  expect(readFileSync(join(folder, "notes/c.txt"), "utf8")).toBe("two\n");
  expect(tools.tools.get("read_file")?.declared?.effect).toBe("read");
  expect(tools.tools.get("write_file")?.declared?.effect).toBe("once");
});

test("no path leaves the workspace, and a read-only one is not written", async () => {
  const folder = createWorkspace();
  const config = program("filesystem", { args: ["/workspace"], folder, errors: "not-done" });
  const { tools } = await openTools(config);
  const runs = openRuns(tools);
  for (const path of ["/etc/passwd", "/workspace/../etc/passwd", "/workspace/../../root/.ssh"]) {
    const outcome = await runs.call("read_file", { path });
    expect([path, outcome.status]).toEqual([path, "stopped"]);
  }
  const written = await runs.call("write_file", { path: "/workspace/a.txt", content: "a" });
  expect(written).toMatchObject({ status: "stopped", isUnknown: false });
  expect(existsSync(join(folder, "a.txt"))).toBe(false);
});

test("every tool of the server `memory` works, and its file is in the workspace", async () => {
  const folder = createWorkspace();
  const config = program("memory", {
    ...{ folder, profile: "workspace-write", env: { MEMORY_FILE_PATH: "/workspace/graph.jsonl" } },
  });
  const { tools } = await openTools(config);
  const runs = openRuns(tools);
  const entity = { name: "ada", entityType: "person", observations: ["writes"] };
  const relation = { from: "ada", to: "ada", relationType: "knows" };
  const calls: [string, object][] = [
    ["create_entities", { entities: [entity] }],
    ["create_relations", { relations: [relation] }],
    ["add_observations", { observations: [{ entityName: "ada", contents: ["counts"] }] }],
    ["read_graph", {}],
    ["search_nodes", { query: "ada" }],
    ["open_nodes", { names: ["ada"] }],
    ["delete_observations", { deletions: [{ entityName: "ada", observations: ["writes"] }] }],
    ["delete_relations", { relations: [relation] }],
    ["delete_entities", { entityNames: ["ada"] }],
  ];
  expect(calls.map(([name]) => name).sort()).toEqual([...tools.tools.keys()].sort());
  for (const [name, input] of calls) {
    const outcome = await runs.call(name, input);
    expect([name, outcome.status, outcome.words]).toEqual([name, "completed", ""]);
    if (name === "open_nodes")
      expect(outcome).toMatchObject({
        output: { entities: [{ name: "ada", observations: ["writes", "counts"] }] },
      });
  }
  expect(existsSync(join(folder, "graph.jsonl"))).toBe(true);
});

test("every tool of the server `everything` works; its images are files of the run", async () => {
  const { tools, pin } = await openTools(program("everything"));
  // The one that is refused works only as a task.
  expect(pin.refused.map(({ name }) => name)).toEqual(["simulate-research-query"]);
  const runs = openRuns(tools);
  const calls: [string, object][] = [
    ["echo", { message: "hello" }],
    ["get-sum", { a: 2, b: 3 }],
    ["get-env", {}],
    ["get-structured-content", { location: "New York" }],
    ["get-tiny-image", {}],
    ["get-annotated-message", { messageType: "error", includeImage: true }],
    ["get-resource-links", { count: 2 }],
    ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
    ["toggle-simulated-logging", {}],
    ["toggle-subscriber-updates", {}],
    ["trigger-long-running-operation", { duration: 0.2, steps: 2 }],
    ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello" }],
  ];
  expect(calls.map(([name]) => name).sort()).toEqual([...tools.tools.keys()].sort());
  const outputs = new Map<string, string>();
  for (const [name, input] of calls) {
    const outcome = await runs.call(name, input);
    expect([name, outcome.status, outcome.words]).toEqual([name, "completed", ""]);
    outputs.set(name, JSON.stringify("output" in outcome ? outcome.output : null));
  }
  expect(outputs.get("get-sum")).toContain("5");
  expect(outputs.get("get-structured-content")).toContain("temperature");
  expect(outputs.get("get-tiny-image")).toContain('"kind":"file"');
  // Its variables are those that every command in the sandbox has.
  const { parts } = JSON.parse(outputs.get("get-env") ?? "") as { parts: [{ text: string }] };
  const variables = Object.keys(JSON.parse(parts[0].text) as object);
  expect(variables.sort()).toEqual(["HOME", "LANG", "NO_COLOR", "PATH", "PWD", "TMPDIR"]);
});

test("a server that was killed between two calls is started again", async () => {
  const folder = createWorkspace();
  const config = program("memory", {
    ...{ folder, profile: "workspace-write", env: { MEMORY_FILE_PATH: "/workspace/graph.jsonl" } },
  });
  const { tools, pin } = await openTools(config);
  const runs = openRuns(tools);
  const entity = (name: string) => ({
    entities: [{ name, entityType: "person", observations: [] }],
  });
  expect(await runs.call("create_entities", entity("ada"))).toMatchObject({ status: "completed" });
  await tools.close();
  expect(await runs.call("create_entities", entity("eve"))).toMatchObject({ status: "completed" });
  const again = openRuns(toolsOf("bank", config, pin));
  expect(await again.call("read_graph", {})).toMatchObject({
    output: { entities: [{ name: "ada" }, { name: "eve" }] },
  });
});

import { memorySecrets } from "@turnseal/ports";
import {
  type DeclaredArtifacts,
  defineTool,
  jsonSchema,
  type Loop,
} from "@turnseal/protocol/authoring";
import { expect, test, vi } from "vitest";
import { INSPECT_MS_MAX } from "../limits.ts";
import { bindLoops } from "./bind-tools.ts";

type Inspect = NonNullable<DeclaredArtifacts["inspect"]>;
const open: Inspect = async () => "open";

function desk(inspect: Inspect, id = "file", secrets: readonly string[] = []): Loop {
  return defineTool({
    ...{
      id,
      version: "1.0.0",
      effect: "idempotent",
      secrets,
      artifacts: { root: "desk", inspect },
    },
    ...{ input: jsonSchema<object>({}), output: jsonSchema<unknown>(true), run: () => null },
  }) as Loop;
}

function openDesk(loop: Loop, secrets = memorySecrets()) {
  const binding = bindLoops([loop], {}, {}, secrets);
  const root = binding.kind === "bound" ? binding.tools.roots?.["desk"] : undefined;
  if (root === undefined) throw new Error("the desk is not bound");
  return root(new Uint8Array(32));
}

test("a root that a tool inspects is there without a folder, and the same of two tools", () => {
  const binding = bindLoops([desk(open), desk(open, "close")], {}, {});
  expect(binding).toMatchObject({ tools: { roots: { desk: expect.any(Function) } } });
});

test("two functions for one root are refused, and so is one that is bound to a folder", () => {
  const refused = { kind: "refused", clashes: [{ problem: { rule: "registry-conflict" } }] };
  const other: Inspect = async () => "other";
  expect(bindLoops([desk(open), desk(other, "close")], {}, {})).toMatchObject(refused);
  const folder = () => openDesk(desk(open));
  expect(bindLoops([desk(open)], {}, { desk: folder })).toMatchObject(refused);
});

test("two tools with one function are refused where their secrets differ", () => {
  const bind = (...secrets: readonly (readonly string[])[]) =>
    bindLoops(
      secrets.map((names, index) => desk(open, `tool${index}`, names)),
      ...[{}, {}],
    );
  const message = "another tool with other secrets inspects the root desk, too";
  const refused = { kind: "refused", clashes: [{ problem: { message } }] };
  expect(bind(["KEY"], ["OTHER"])).toMatchObject(refused);
  expect(bind(["KEY"], [])).toMatchObject(refused);
  expect(bind(["KEY"], ["KEY", "OTHER"])).toMatchObject(refused);
  expect(bind(["OTHER", "KEY"], ["KEY", "OTHER"])).toMatchObject({ kind: "bound" });
});

test("it is told its secrets, and changes nothing itself", async () => {
  const inspect: Inspect = async (thing, { secrets }) => `${thing} for ${secrets["KEY"]?.length}`;
  const root = openDesk(desk(inspect, "file", ["KEY"]), memorySecrets({ KEY: "a-long-word" }));
  const read = await root.read("case-1");
  expect(read.kind === "read" && new TextDecoder().decode(read.bytes)).toBe("case-1 for 11");
  const file = { bytes: new TextEncoder().encode("other") };
  expect(await root.write("case-1", file, "absent")).toEqual({ kind: "changed" });
  expect(await root.remove("case-1", `sha256:${"0".repeat(64)}`)).toEqual({ kind: "changed" });
});

test("without its secrets, and with a fault of its own, nobody can say", async () => {
  const missing = openDesk(desk(open, "file", ["KEY"]));
  expect(await missing.read("case-1")).toEqual({ kind: "refused", reason: "denied" });
  const failing = openDesk(desk(() => Promise.reject(new Error("no route"))));
  const entries = [{ kind: "unread", path: "case-1", reason: "denied" }];
  expect(await failing.scan({ paths: ["case-1"] })).toMatchObject({ entries });
});

test("one that never answers is not waited for", async () => {
  const timeout = AbortSignal.timeout;
  const asked = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(1));
  const root = openDesk(desk(() => new Promise(() => {})));
  expect(await root.read("case-1")).toEqual({ kind: "refused", reason: "denied" });
  expect(asked).toHaveBeenCalledWith(INSPECT_MS_MAX);
  asked.mockRestore();
});

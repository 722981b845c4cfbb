// The gates of tools, through a real host.
import type { AnyForm } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { type ApprovalPolicy, type Loop, loopsTool } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openToolDesk, type ToolDesk } from "../__fixtures__/tool-desk.ts";

interface Written {
  readonly path: string;
  readonly content: string;
}

const allow: Policy = { name: "rules", rules: [{ id: "all", decision: "allow" }] };
const ada = { id: "ada", roles: ["finance"] };

function writer(policy: ApprovalPolicy = "ask", mode = "supervised", readOnly = false) {
  const files: Written[] = [];
  const tool = loopsTool({
    name: "write_file",
    description: "Write content to a file",
    readOnly,
    inputSchema: z.object({ path: z.string(), content: z.string() }),
    requestApproval: ({ path }, ctx) =>
      ctx.mode === "unsupervised" ? null : `Write to \`${path}\`?`,
    execute: async (file, { onToolOutputDelta }) => {
      onToolOutputDelta(`Writing ${file.content.length} bytes to ${file.path}…\n`);
      files.push(file);
      return { ok: true };
    },
  });
  return { loop: tool.withApproval(policy, mode).toLoop(), files };
}

const input = { path: "a.txt", content: "hello" };
const rounds = [[["local.write_file", input]]] as const;

async function openWith(loop: Loop<never, unknown>, policy?: Policy): Promise<ToolDesk> {
  return openToolDesk({ tools: [loop], rounds, ...(policy === undefined ? {} : { policy }) });
}

async function firstContent(
  desk: ToolDesk,
  type: "approval.requested" | "action.claimed",
): Promise<Partial<AnyForm<"approval.requested" | "action.claimed">>> {
  const contents = await desk.contents<"approval.requested" | "action.claimed">(type);
  return contents.find(({ tool }) => tool !== undefined) ?? {};
}

const sound = { findings: [], replayed: ["identical"] };

describe("a tool that asks", () => {
  test("parks the run with its own words, and is done once when they are approved", async () => {
    const { loop, files } = writer();
    const desk = await openWith(loop);
    expect(await desk.drive()).toBe("wait");
    const [request] = await desk.host.requests(desk.run);
    expect(request).toMatchObject({
      kind: "approval",
      name: "local.write_file",
      description: "Write to `a.txt`?",
      request: input,
      role: null,
      approvers: 1,
      facts: { gate: "tool-asks", effect: "once", onReject: "tell" },
    });
    const requested = await firstContent(desk, "approval.requested");
    expect(await desk.read(requested["description"])).toBe("Write to `a.txt`?");
    expect(JSON.stringify(await desk.events())).not.toContain("a.txt");
    expect(files).toEqual([]);

    await desk.host.decide(desk.run, request?.id ?? "", { choice: "approve", by: ada });
    expect(await desk.drive()).toBe("goal-reached");
    expect(files).toEqual([input]);
    expect(desk.told).toEqual([{ ok: true }]);
    expect(await desk.prove()).toEqual(sound);
  });

  test("is not done when it is rejected, and the model is told", async () => {
    const { loop, files } = writer();
    const desk = await openWith(loop, allow);
    await desk.drive();
    const [request] = await desk.host.requests(desk.run);
    await desk.host.decide(desk.run, request?.id ?? "", { choice: "reject", by: ada });
    expect(await desk.drive()).toBe("goal-reached");
    expect(files).toEqual([]);
    expect(desk.told).toMatchObject([{ error: "POLICY_DENIED" }]);
    expect(await desk.prove()).toEqual(sound);
  });

  test("asks anew, in other words, about what a person made of it", async () => {
    const { loop, files } = writer();
    const desk = await openWith(loop);
    await desk.drive();
    const [first] = await desk.host.requests(desk.run);
    const edited = { path: "b.txt", content: "hello" };
    await desk.host.decide(desk.run, first?.id ?? "", {
      ...{ choice: "edit", by: ada, arguments: edited },
    });
    expect(await desk.drive()).toBe("wait");
    const [second] = await desk.host.requests(desk.run);
    expect(second).toMatchObject({ description: "Write to `b.txt`?", request: edited });
    await desk.host.decide(desk.run, second?.id ?? "", { choice: "approve", by: ada });
    expect(await desk.drive()).toBe("goal-reached");
    expect(files).toEqual([edited]);
    expect(await desk.prove()).toEqual(sound);
  });

  test("says what is asked where a rule asks, and the rule says whom", async () => {
    const { loop } = writer();
    const rule = { id: "files", decision: "ask", role: "finance", approvers: 2 } as const;
    const desk = await openWith(loop, { name: "rules", rules: [rule] });
    await desk.drive();
    expect(await desk.host.requests(desk.run)).toMatchObject([
      {
        description: "Write to `a.txt`?",
        role: "finance",
        approvers: 2,
        facts: { rule: { id: "files" }, gate: "tool-asks", onReject: "stop" },
      },
    ]);
  });

  test("cannot ask its way past a rule that denies", async () => {
    const { loop, files } = writer("always_allow");
    const rule = { id: "never", decision: "deny" } as const;
    const desk = await openWith(loop, { name: "rules", rules: [rule] });
    expect(await desk.drive()).toBe("goal-reached");
    expect(desk.told).toMatchObject([{ error: "POLICY_DENIED" }]);
    expect(files).toEqual([]);
  });
});

describe("a tool that does not ask", () => {
  test.each<[ApprovalPolicy, string, string]>([
    ["ask", "unsupervised", "not-needed"],
    ["always_allow", "supervised", "always-allow"],
  ])("%s in the mode %s runs at once, and its claim says %s", async (policy, mode, why) => {
    const { loop, files } = writer(policy, mode);
    const desk = await openWith(loop);
    expect(await desk.drive()).toBe("goal-reached");
    expect(files).toEqual([input]);
    expect(await firstContent(desk, "action.claimed")).toMatchObject({ gate: why });
    expect(await desk.contents("approval.requested")).toEqual([]);
    expect(await desk.prove()).toEqual(sound);
  });

  test.each([
    [true, "goal-reached", { gate: "read-only", effect: "read" }],
    [false, "wait", { gate: "by-default", effect: "once" }],
  ])("because it says nothing, with readOnly %s: %s", async (readOnly, end, facts) => {
    const quiet = loopsTool({
      ...{ name: "quiet", description: "", readOnly, inputSchema: z.object({}) },
      execute: () => "done",
    });
    const desk = await openToolDesk({ tools: [quiet.toLoop()], rounds: [[["local.quiet", {}]]] });
    expect(await desk.drive()).toBe(end);
    const type = readOnly ? "action.claimed" : "approval.requested";
    expect(await firstContent(desk, type)).toMatchObject(facts);
    const descriptions = (await desk.host.requests(desk.run)).map((asked) =>
      asked.kind === "approval" ? asked.description : asked.kind,
    );
    expect(descriptions).toEqual(readOnly ? [] : ["Run quiet?"]);
  });

  test("because it is blocked is denied, and nothing is claimed", async () => {
    const { loop, files } = writer("blocked", "any", true);
    const desk = await openWith(loop, allow);
    expect(await desk.drive()).toBe("goal-reached");
    expect(desk.told).toMatchObject([{ error: "POLICY_DENIED" }]);
    const errored = await desk.contents("call.errored");
    expect(errored[0]).toMatchObject({ details: { denial: "tool-blocked" } });
    expect(await firstContent(desk, "action.claimed")).toEqual({});
    expect(files).toEqual([]);
    expect(await desk.prove()).toEqual(sound);
  });

  test.each<[string, () => unknown]>([
    ["throws", () => JSON.parse("{")],
    ["has none of its fields", () => undefined],
    ["says what nobody knows", () => ({ kind: "run", why: "i-say-so" })],
  ])("because its gate %s is denied", async (_, gate) => {
    const { loop, files } = writer("always_allow");
    const desk = await openWith({ ...loop, gate: gate as NonNullable<typeof loop.gate> }, allow);
    await desk.drive();
    expect(desk.told).toMatchObject([{ error: "POLICY_DENIED" }]);
    expect(files).toEqual([]);
  });
});

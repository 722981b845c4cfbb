// Notes of a run, and the notes that its models see, through a real host.
import { SCOPES_MAX, TASK_NOTES_MAX } from "@turnseal/kernel";
import { type Model, type ScriptedReply, type Stores, scriptedModel } from "@turnseal/ports";
import {
  canonicalize,
  type JsonObject,
  type LoopDef,
  type ModelMessage,
  type PromptSpec,
  type RunBounds,
} from "@turnseal/protocol";
import { noteTaker } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { replayRun } from "../../replay/replay-run.ts";
import { ask, crashAt, openWorld, RUN } from "../sample-world.test.data.ts";

const NOTE = "turnseal__note";

function prompt(id: string, fields: Partial<PromptSpec> = {}): LoopDef {
  return {
    ...{ ...ask, id, name: id },
    prompt: {
      ...{ template: "{{word}}", variables: ["word"], maxRounds: 8 },
      tools: [{ loopId: "turnseal.note" }],
      ...fields,
    },
  };
}

/** An answer that writes notes, each `key text` or with more. */
function write(...notes: readonly (string | JsonObject)[]): ScriptedReply {
  const inputs = notes.map((note) =>
    typeof note === "string"
      ? { key: note.split(" ")[0], text: note.split(" ").slice(1).join(" ") }
      : note,
  );
  return { toolCalls: inputs.map((input) => ({ tool: NOTE, input })) } as ScriptedReply;
}

const call = (loop: string): ScriptedReply => ({
  toolCalls: [{ tool: `loop__${loop}`, input: { word: loop } }],
});

interface DeskOptions {
  readonly loop?: LoopDef;
  readonly loops?: readonly LoopDef[];
  readonly replies?: readonly ScriptedReply[];
  readonly answer?: (sent: readonly string[]) => ScriptedReply;
  readonly bounds?: Partial<RunBounds>;
  readonly tools?: readonly string[];
}

/** A chat with a new process for every turn, and the requests to its model. */
function openDesk({ loop = prompt("agent"), loops = [], replies = [], ...given }: DeskOptions) {
  const script = scriptedModel(replies);
  const requests: string[][] = [];
  const model: Model = {
    defaultModel: "scripted",
    generate: async (request) => {
      const sent = request.messages.map(toText);
      requests.push(sent);
      return (given.answer === undefined ? script : scriptedModel([given.answer(sent)])).generate(
        request,
      );
    },
  };
  let see = (stores: Stores): Stores => stores;
  const options = {
    ...{ loop, model, loops: [noteTaker.definition, ...loops], input: { word: "one" } },
    grant: { tools: [...(given.tools ?? ["turnseal.note"])] },
    bounds: {
      ...{ awaits: ["message"], nextInput: { word: "$.signals.message" }, turnsMax: 20_000 },
      ...given.bounds,
    },
  };
  let world = openWorld(options);
  const step = (): Promise<string> => {
    world = openWorld({ ...options, see, after: world });
    return world.end();
  };
  return {
    world: () => world,
    requests,
    /** The notes at the end of each request; none where it ends with something else. */
    tails: () => requests.map((sent) => readTail(sent.at(-1) ?? "")),
    see: (seen: typeof see) => {
      see = seen;
    },
    step,
    start: async () => {
      await world.start();
      return step();
    },
    say: async (payload: string) => {
      const body = { name: "message", payload, by: "me" };
      await world.put({ key: `signal:${payload}`, kind: "signal", body });
      return step();
    },
    replay: async () => {
      const kinds: string[] = [];
      for await (const { replayed } of replayRun(RUN, world.ports))
        kinds.push(replayed.kind === "different" ? replayed.message : replayed.kind);
      return new Set(kinds);
    },
  };
}

function toText(message: ModelMessage): string {
  if (message.role === "system" || message.role === "user") return message.text;
  return canonicalize(message.role === "tool" ? message.result : message.content);
}

function readTail(text: string): string {
  return (
    /^Notes of this run.*\n(notes-[0-9a-f]{32}) begin\n(.*)\n\1 end$/s.exec(text)?.[2] ?? "none"
  );
}

describe("notes of a prompt", () => {
  test("stand at the end of each request, in later turns, too, and are no entry", async () => {
    const desk = openDesk({ replies: [write("name Ada"), "first", "second", "third"] });
    await desk.start();
    await desk.say("two");
    await desk.say("three");
    expect(desk.tails()).toEqual(["none", "name: Ada", "name: Ada", "name: Ada"]);
    const last = desk.requests.at(-1) ?? [];
    expect(last.filter((text) => readTail(text) !== "none")).toHaveLength(1);
    expect(last.slice(0, 2)).toEqual(desk.requests[1]?.slice(0, 2));
    expect(await desk.replay()).toEqual(new Set(["identical"]));
  });

  test("hold no word of anybody in an event", async () => {
    const desk = openDesk({ replies: [write("secretkey secrettext", "task secrettask"), "first"] });
    await desk.start();
    const events = JSON.stringify(await desk.world().events());
    expect(events).toContain("note.added");
    expect(events).not.toContain("secret");
  });

  test("the author's are there from the first request on, and once", async () => {
    const loop = prompt("agent", {
      notes: [
        { key: "task", text: "write the report" },
        { key: "note", text: "be brief", rounds: 1 },
      ],
      context: { strategy: "task-list" },
    });
    const desk = openDesk({ loop, replies: [write("start write the report"), "a", "b"] });
    await desk.start();
    await desk.say("two");
    expect(desk.tails()).toEqual([
      "Pending:\n- write the report\nnote: be brief",
      "Current: write the report",
      "Current: write the report\nnote: be brief",
    ]);
    expect(await desk.replay()).toEqual(new Set(["identical"]));
  });

  test("a turn that goes on after its rounds does not begin with the author's again", async () => {
    const loop = prompt("agent", {
      notes: [{ key: "task", text: "a" }],
      context: { strategy: "task-list" },
      maxRounds: 1,
    });
    const replies = [write("done a"), "end"];
    const desk = openDesk({ loop, replies, bounds: { onRoundsExhausted: "continue" } });
    await desk.start();
    expect(desk.tails()).toEqual(["Pending:\n- a", "Done:\n- a"]);
  });

  test("a note of N rounds is shown N times, across turns", async () => {
    const desk = openDesk({
      replies: [write({ key: "note", text: "x", rounds: 2 }, "note y"), "a", "b", "c"],
    });
    await desk.start();
    await desk.say("two");
    await desk.say("three");
    const both = "note: x\nnote: y";
    expect(desk.tails()).toEqual(["none", both, both, "note: y"]);
    const ended = await desk.world().contents("note.expired");
    expect(ended.map(({ why }) => why)).toEqual(["rounds"]);
    expect(await desk.replay()).toEqual(new Set(["identical"]));
  });

  test("what is on-done without a task is over with the call", async () => {
    const desk = openDesk({
      replies: [write({ key: "note", text: "x", lifetime: "on-done" }), "a", "b"],
    });
    await desk.start();
    await desk.say("two");
    expect(desk.tails()).toEqual(["none", "note: x", "none"]);
  });

  test("a note is taken back by its id; another's, and the author's, is not", async () => {
    const loop = prompt("agent", { notes: [{ key: "note", text: "mine" }] });
    const told: JsonObject[] = [];
    let round = 0;
    const desk = openDesk({
      loop,
      answer: (sent) => {
        told.push(
          ...sent.flatMap((text) => (text.startsWith('{"note"') ? [JSON.parse(text)] : [])),
        );
        round += 1;
        if (round === 1) return write("note x");
        if (round > 2) return "end";
        return write({ drop: String(told[0]?.["note"]) }, { drop: "other" });
      },
    });
    await desk.start();
    expect(desk.tails()).toEqual(["note: mine", "note: mine\nnote: x", "note: mine"]);
    expect(desk.requests.at(-1)?.at(-2)).toBe('{"error":"NOTE_UNKNOWN"}');
  });

  test.each<[string, JsonObject]>([
    ["without a text", { key: "note" }],
    ["with an empty text", { key: "note", text: "" }],
    ["with a key that is a sentence", { key: "a b", text: "x" }],
    ["with two lifetimes", { key: "note", text: "x", lifetime: "manual", rounds: 1 }],
    ["of no rounds", { key: "note", text: "x", rounds: 0 }],
    ["of more than NOTE_ROUNDS_MAX rounds", { key: "note", text: "x", rounds: 1_001 }],
    ["of more than NOTE_BYTES_MAX bytes", { key: "note", text: "é".repeat(1_025) }],
  ])("a note %s is refused, and the model is told", async (_, note) => {
    const desk = openDesk({ replies: [write(note), "end"] });
    await desk.start();
    expect(desk.requests[1]?.at(-1)).toContain("INPUT_VALIDATION_FAILED");
    expect(await desk.world().contents("note.added")).toEqual([]);
  });

  test("a note of NOTE_BYTES_MAX bytes for NOTE_ROUNDS_MAX rounds is one", async () => {
    const note = { key: "note", text: "é".repeat(1_024), rounds: 1_000 };
    const desk = openDesk({ replies: [write(note), "end"] });
    await desk.start();
    expect(desk.tails()[1]).toBe(`note: ${"é".repeat(1_024)}`);
  });

  test("without a grant for it nothing is noted", async () => {
    const desk = openDesk({ replies: [write("note x"), "end"], tools: [] });
    await desk.start();
    expect(desk.requests[1]?.at(-1)).toContain("POLICY_DENIED");
    expect(await desk.world().contents("note.added")).toEqual([]);
  });

  test("of the same words are each shown under their own key, live and later", async () => {
    const replies = [write("task X"), write("note X"), "first", "second"];
    const desk = openDesk({ replies });
    await desk.start();
    await desk.say("two");
    expect(desk.tails()).toEqual(["none", "task: X", "task: X\nnote: X", "task: X\nnote: X"]);
    expect(await desk.replay()).toEqual(new Set(["identical"]));
  });

  test("the author's find room in a list that the model has filled with tasks", async () => {
    const rules = [{ key: "note", text: "ask first", lifetime: "on-done" }] as const;
    const tasks = Array.from({ length: TASK_NOTES_MAX }, (_, index) => `task t${index}`);
    const desk = openDesk({
      loop: prompt("agent", { context: { strategy: "task-list" }, notes: rules }),
      replies: [write(...tasks.slice(0, 32)), write(...tasks.slice(32)), "first", "second"],
    });
    await desk.start();
    await desk.say("two");
    expect(desk.tails().at(-1)).toContain("note: ask first");
    expect(desk.tails().at(-1)).not.toContain("- t0\n");
    expect(await desk.replay()).toEqual(new Set(["identical"]));
  });

  test("count towards the window", async () => {
    const loop: LoopDef = { ...prompt("agent"), policy: { contextTokensMax: 400 } };
    const desk = openDesk({ loop, replies: [write(`note ${"word ".repeat(400)}`), "end"] });
    await desk.start();
    expect(desk.requests).toHaveLength(1);
    const [closed] = await desk.world().contents("turn.closed");
    expect(closed?.reason).toBe("BUDGET_EXCEEDED");
    expect(await desk.world().contents("note.added")).toHaveLength(1);
  });
});

describe("the notes of an agent that is called", () => {
  const tools = (...ids: string[]) => [
    { loopId: "turnseal.note" },
    ...ids.map((loopId) => ({ loopId })),
  ];
  /** The caller notes, calls, and notes again; the agent notes, and answers. */
  const story = [
    write("note of the caller"),
    call("helper"),
    write("note of the helper"),
    "helped",
    "end",
  ];

  test.each<[PromptSpec["scope"], string, string]>([
    [undefined, "none", "note: of the caller"],
    ["isolated", "none", "note: of the caller"],
    ["shared", "note: of the caller", "note: of the caller\nnote: of the helper"],
    ["inherited", "note: of the caller", "note: of the caller"],
  ])(
    "with the scope %s it is shown %j first, and its caller %j after",
    async (scope, own, after) => {
      const helper = prompt("helper", scope === undefined ? {} : { scope });
      const loop = prompt("agent", { tools: tools("helper") });
      const desk = openDesk({ loop, loops: [helper], replies: story });
      await desk.start();
      const both = own === "none" ? "note: of the helper" : `${own}\nnote: of the helper`;
      expect(desk.tails()).toEqual(["none", "note: of the caller", own, both, after]);
      expect(await desk.replay()).toEqual(new Set(["identical"]));
    },
  );

  test("are its own again when it is called again, and no sibling's", async () => {
    const loops = [prompt("helper"), prompt("other")];
    const loop = prompt("agent", { tools: tools("helper", "other") });
    const again = [write("note of the helper"), "helped", call("other"), "x", call("helper"), "y"];
    const desk = openDesk({ loop, loops, replies: [call("helper"), ...again, "end"] });
    await desk.start();
    const [none, own] = ["none", "note: of the helper"];
    expect(desk.tails()).toEqual([none, none, own, none, none, none, own, none]);
  });

  test("are shown as it asks, and its caller's as before when it has ended", async () => {
    const helper = prompt("helper", { context: { strategy: "task-list" }, scope: "inherited" });
    const loop = prompt("agent", { tools: tools("helper"), context: { strategy: "task-tree" } });
    const inner = [write("task b", "start b"), "helped"];
    const replies = [write("task a", "note x"), call("helper"), ...inner, "end"];
    const desk = openDesk({ loop, loops: [helper], replies });
    await desk.start();
    const tree = "- a\n  (x)";
    const list = "Pending:\n- a\nnote: x";
    const both = "Current: b\nPending:\n- a\nnote: x";
    expect(desk.tails()).toEqual(["none", tree, list, both, tree]);
  });

  test("hang below its caller's tasks in a tree that it inherits", async () => {
    const helper = prompt("helper", { scope: "inherited" });
    const loop = prompt("agent", { tools: tools("helper"), context: { strategy: "task-tree" } });
    const inner = [write("task b"), write("done b"), "helped"];
    const replies = [write("task a"), call("helper"), ...inner, "end"];
    const desk = openDesk({ loop, loops: [helper], replies });
    await desk.start();
    expect(desk.tails()).toEqual(["none", "- a", "- a", "- a\n  - b", "- a\n  (done: b)", "- a"]);
  });

  test("an agent below one that inherits has notes of its own", async () => {
    const helper = prompt("helper", { scope: "inherited", tools: tools("deep") });
    const loop = prompt("agent", { tools: tools("helper") });
    const replies = [write("note x"), call("helper"), call("deep"), "deep", "helped", "end"];
    const desk = openDesk({ loop, loops: [helper, prompt("deep")], replies });
    await desk.start();
    const seen = "note: x";
    expect(desk.tails()).toEqual(["none", seen, seen, "none", seen, seen]);
  });

  test("agents that note do not act beside each other, though they are offered so", async () => {
    const helper = prompt("helper", { scope: "shared" });
    const offered = [{ loopId: "helper", independent: true }];
    const loop = prompt("agent", { tools: [...tools(), ...offered] });
    const twice = {
      toolCalls: ["one", "two"].map((word) => ({ tool: "loop__helper", input: { word } })),
    };
    const replies = [twice, write("note 1"), "helped", write("note 2"), "helped", "end"];
    const desk = openDesk({ loop, loops: [helper], replies });
    await desk.start();
    expect(desk.tails().at(-1)).toBe("note: 1\nnote: 2");
    expect(await desk.replay()).toEqual(new Set(["identical"]));
  });
});

test("SCOPES_MAX places have notes, and a prompt at one more ends", async () => {
  const ids = Array.from({ length: SCOPES_MAX + 1 }, (_, index) => `helper${index}`);
  const notes = [{ key: "note", text: "x" }];
  const tools = ids.map((loopId) => ({ loopId }));
  const calls = ids.flatMap((id): ScriptedReply[] => [call(id), "helped"]);
  const desk = openDesk({
    loop: prompt("agent", { tools, maxRounds: 32 }),
    loops: ids.map((id) => prompt(id, { notes, tools: [{ loopId: "turnseal.note" }] })),
    replies: calls,
  });
  await desk.start();
  expect(await desk.world().contents("note.added")).toHaveLength(SCOPES_MAX);
  const [closed] = await desk.world().contents("turn.closed");
  expect(closed?.reason).toBe("BUDGET_EXCEEDED");
});

describe("after a crash at any append", () => {
  const helper = prompt("helper", { scope: "shared" });
  const loop = prompt("agent", {
    context: { strategy: "task-tree" },
    notes: [{ key: "task", text: "all" }],
    tools: [{ loopId: "turnseal.note" }, { loopId: "helper" }],
  });
  const story: readonly ScriptedReply[] = [
    write("task a", { key: "note", text: "x", lifetime: "on-done" }),
    call("helper"),
    write({ key: "note", text: "y", rounds: 2 }, "done a"),
    "helped",
    "first",
    "second",
  ];

  test("the next request is the same, byte for byte", async () => {
    const whole = openDesk({ loop, loops: [helper], replies: story });
    let appends = 0;
    whole.see((stores) => ({
      ...stores,
      log: {
        ...stores.log,
        append: (append) => {
          appends += 1;
          return stores.log.append(append);
        },
      },
    }));
    await whole.start();
    await whole.say("two");
    const wanted = whole.requests;
    expect(whole.tails().at(-1)).toBe("- all\n  (done: a)");
    const answer = (sent: readonly string[]): ScriptedReply => {
      const index = wanted.findIndex((known) => canonicalize(known) === canonicalize(sent));
      return story[index] ?? `unforeseen: ${sent.at(-1)}`;
    };
    for (let place = 1; place <= appends; place++) {
      for (const when of ["before", "after"] as const) {
        const desk = openDesk({ loop, loops: [helper], answer });
        desk.see(crashAt(place, when));
        for (const step of [desk.start, () => desk.say("two")])
          await step().catch(() => desk.step());
        desk.world().clock.advance(300_000);
        await desk.step();
        const distinct = desk.requests.filter(
          (sent, index, all) => canonicalize(sent) !== canonicalize(all[index - 1] ?? null),
        );
        expect(distinct, `${when} ${place}`).toEqual(wanted);
      }
    }
  });
});

test("the state of a run with notes does not grow with its turns", async () => {
  const loop = prompt("agent", { context: { strategy: "task-list" } });
  let round = 0;
  const desk = openDesk({
    loop,
    answer: () => {
      round += 1;
      const task = `t${Math.floor(round / 3)}`;
      if (round % 3 === 1) return write(`task ${task}`, `start ${task}`, "result ok");
      return round % 3 === 2 ? write(`done ${task}`) : "end";
    },
  });
  await desk.start();
  const sizes: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    await desk.say(`w${turn}`);
    const { projection } = await desk.world().advance();
    sizes.push(JSON.stringify(projection?.notes).length);
  }
  expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[5] ?? 0) + 10);
  expect(sizes.at(-1)).toBeGreaterThan(100);
});
